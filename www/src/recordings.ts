/** Where recordings come from: files beside the script, each fetched once a page; the one-file build brings its own. */
import { decodeRecording, type DetailsFile, type RecordedDemo, type RecordingFile } from "./recording.js";
import { recordedWidth } from "./widths.js";

export const recordings = {
  /** A file by its name. */
  load: async (name: string): Promise<unknown> => {
    const answer = await fetch(new URL(`recordings/${name}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`recording ${name}: ${answer.status}`);
    return answer.json();
  },
};

const files = new Map<string, Promise<unknown>>();

/** A file, in the form that `read` gives it, once a page; a failed load may be tried again. */
function once<T>(name: string, read: (file: unknown) => T): Promise<T> {
  let file = files.get(name);
  if (!file) {
    files.set(name, (file = recordings.load(name).then(read)));
    file.catch(() => files.delete(name));
  }
  return file as Promise<T>;
}

/** A demo, recorded for a scene `width` px wide. */
export const recordingOf = (demo: string, width: number): Promise<RecordedDemo> =>
  once(preloaded(demo, width) ?? `${demo}.${recordedWidth(width)}`, (file) => decodeRecording(file as RecordingFile));

/** The recording that the page's head fetches (preload.ts), which knew the window only: taken as it is, unless it is too wide. */
function preloaded(demo: string, width: number): string | undefined {
  const link = document.querySelector<HTMLLinkElement>(`link[rel=preload][href^="recordings/${CSS.escape(demo)}."]`);
  link?.remove();
  const [, name, recorded] = link?.href.match(/([^/]+\.(\d+))\.json$/) ?? [];
  return Number(recorded) <= width ? name : undefined;
}

/** Brings what the steps of a recording show beside their pictures. */
export async function complete(demo: RecordedDemo): Promise<void> {
  const details = await once(demo.info.id, (file) => file as DetailsFile);
  if (!demo.complete) demo.add(details);
}
