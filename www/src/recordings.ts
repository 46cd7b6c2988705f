/** Where recordings come from: files beside the script, each fetched once a page; the one-file build brings its own. */
import { decodeRecording, rank, type RecordingFile, type Recordings } from "./recording.js";

export const recordings = {
  /** A file by its name. */
  load: async (name: string): Promise<RecordingFile> => {
    const answer = await fetch(new URL(`recordings/${name}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`recording ${name}: ${answer.status}`);
    return (await answer.json()) as RecordingFile;
  },
};

/** The demo with small files, one a width, for a page to open on. */
export const FIRST_DEMO = "find-offset";

const decoded = new Map<string, Promise<Recordings>>();

/** A file, read; a failed load may be tried again. */
function read(name: string): Promise<Recordings> {
  let recording = decoded.get(name);
  if (!recording) {
    decoded.set(name, (recording = recordings.load(name).then(decodeRecording)));
    recording.catch(() => decoded.delete(name));
  }
  return recording;
}

/** The quickest recording of a demo for a scene `width` px wide; it may lack what a step shows beside its picture and sentence. */
export const startOf = (demo: string, width: number): Promise<Recordings> =>
  demo === FIRST_DEMO ? read(`${demo}.${[328, 704, 1160][rank(width)]}`) : everything();

/** All demos with all that can be recorded. */
export const everything = (): Promise<Recordings> => read("all");
