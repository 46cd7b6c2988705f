/**
 * The only file that knows of wasm. Loads the model once a page and hands out live frame sources.
 * Streaming compilation fails where a server calls wasm by another type, so the bytes are tried once more; a host's policy may refuse wasm altogether.
 */
import type { FrameSource } from "./frames.js";
import type { NearestInputs } from "../bindings/partition-web.js";
import type { DemoInfo, Inputs, Panel, Outline, StepView } from "./views.js";

export type ErrorCode = "csp" | "fetch" | "mime" | "file-url" | "magic" | "panic";

/** Why there is no live model, with what can be done about it. */
export class BridgeError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly hint: string,
  ) {
    super(`${code}: ${hint}`);
  }
}

/** What the model refuses: a command or value that it does not understand. */
export interface ModelError {
  code: string;
  message: string;
  line?: number;
  column?: number;
}

/** The generated interface, as far as the page uses it. */
interface Session {
  load(demo: string, inputs: Inputs): Outline;
  load_text(text: string, inputs: Inputs): Outline;
  step(index: number, width: number): StepView;
  inspect(key: string): Panel | undefined;
  download(key: string): Blob;
  free(): void;
}

/** Opens with the nearest inputs that there are, and adds what was wrong with those given to `problems`. */
export interface Engine {
  demos: DemoInfo[];
  open(demo: string, inputs: Inputs, problems: string[]): FrameSource;
  /** Throws a ModelError when the text is no scenario. */
  openText(text: string, inputs: Inputs, problems: string[]): FrameSource;
}

/** Where the wasm comes from; the one-file build puts its own bytes here. */
export const wasm = {
  bytes: undefined as (() => Promise<BufferSource>) | undefined,
  url: (): string => new URL("pod.wasm", import.meta.url).href,
};

const engines = new Map<string, Promise<Engine>>();

/** The engine behind a URL; one compilation a page, however many elements ask. Rejects with a BridgeError. */
export function loadEngine(source?: string): Promise<Engine> {
  const url = source ?? (wasm.bytes ? "" : wasm.url());
  let engine = engines.get(url);
  if (!engine) engines.set(url, (engine = start(url)));
  return engine;
}

async function start(url: string): Promise<Engine> {
  try {
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch {
    throw new BridgeError("csp", "this page’s policy refuses WebAssembly; it needs script-src 'wasm-unsafe-eval'");
  }
  const [module, bindings] = await Promise.all([
    url ? compile(url) : wasm.bytes!().then((bytes) => WebAssembly.compile(bytes)),
    import("../bindings/partition-web.js"),
  ]);
  await guarded(() => bindings.default({ module_or_path: module }));
  const demos: DemoInfo[] = guarded(() => bindings.demos());
  const open = (
    info: DemoInfo | undefined,
    nearest: () => NearestInputs,
    load: (session: Session, inputs: Inputs) => Outline,
    problems: string[],
  ): FrameSource => {
    const { inputs, problems: found } = guarded(nearest);
    problems.push(...found);
    const session: Session = new bindings.Session();
    return new LiveDemo(session, guarded(() => load(session, inputs)), inputs, info);
  };
  return {
    demos,
    open: (demo, given, problems) =>
      open(
        demos.find(({ id }) => id === demo),
        () => bindings.nearest_inputs(demo, given),
        (session, inputs) => session.load(demo, inputs),
        problems,
      ),
    openText: (text, given, problems) =>
      open(
        undefined,
        () => bindings.nearest_inputs_of_text(text, given),
        (session, inputs) => session.load_text(text, inputs),
        problems,
      ),
  };
}

async function compile(url: string): Promise<WebAssembly.Module> {
  const answer = await fetch(url).catch(() => undefined);
  if (!answer) {
    throw url.startsWith("file:")
      ? new BridgeError("file-url", "a page opened from a file cannot load wasm; serve the folder, or use the one-file page")
      : new BridgeError("fetch", `${url} could not be loaded`);
  }
  if (!answer.ok) throw new BridgeError("fetch", `${url} answered ${answer.status}`);
  const type = answer.headers.get("content-type") ?? "no type";
  const again = answer.clone();
  try {
    return await WebAssembly.compileStreaming(answer);
  } catch {
    const bytes = await again.arrayBuffer();
    if (String(new Uint8Array(bytes, 0, Math.min(4, bytes.byteLength))) !== "0,97,115,109") {
      throw new BridgeError("magic", `${url} is not wasm (the server says ${type})`);
    }
    return WebAssembly.compile(bytes).catch((error: Error) => {
      throw new BridgeError("mime", `${url} (served as ${type}) does not compile: ${error.message}`);
    });
  }
}

/** A trap inside wasm is a bug of ours; the page falls back to the recording and says so. */
function guarded<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      throw new BridgeError("panic", `the model stopped: ${error.message}`);
    }
    throw error;
  }
}

class LiveDemo implements FrameSource {
  readonly live = true;
  readonly complete = true;
  readonly info: DemoInfo;

  constructor(
    private readonly session: Session,
    readonly outline: Outline,
    readonly inputs: Inputs,
    info?: DemoInfo,
  ) {
    this.info = info ?? { id: outline.demo, title: outline.title, inputs: [], tries: [] };
  }

  step(index: number, width: number): StepView {
    return guarded(() => this.session.step(index, width));
  }

  inspect(key: string): Panel | undefined {
    return guarded(() => this.session.inspect(key));
  }

  download(key: string): Blob {
    return guarded(() => this.session.download(key));
  }

  close(): void {
    this.session.free();
  }
}
