/** Where recordings come from: files beside the script, each fetched once a page; the one-file build brings its own. */
import { decodeRecording, type RecordingFile, type Recordings } from "./recording.js";

export const recordings = {
  /** The file that holds a demo. */
  load: async (demo: string): Promise<RecordingFile> => {
    const answer = await fetch(new URL(`recordings/${demo}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`recording of ${demo}: ${answer.status}`);
    return (await answer.json()) as RecordingFile;
  },
};

const decoded = new Map<string, Promise<Recordings>>();

/** The recording of a demo, if there is one; a failed load may be tried again. */
export function recordingOf(demo: string): Promise<Recordings> {
  let recording = decoded.get(demo);
  if (!recording) {
    decoded.set(demo, (recording = recordings.load(demo).then(decodeRecording)));
    recording.catch(() => decoded.delete(demo));
  }
  return recording;
}
