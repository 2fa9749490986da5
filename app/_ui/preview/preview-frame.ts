import { z } from "zod";

export type PreviewDocument =
  | { readonly kind: "html" | "svg"; readonly source: string }
  | { readonly kind: "diagrams"; readonly library: string };

const text = z.string().max(2_000_000);
const length = z.number().positive().max(1_000_000).optional().catch(undefined);

/** Messages of a frame are not trusted. */
export const frameMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("pong") }),
  z.object({ type: z.literal("problem"), message: text }),
  z.object({ type: z.literal("blocked"), host: text }),
  z.object({ type: z.literal("height"), px: z.number().nonnegative() }),
  z.object({
    type: z.literal("drawn"),
    id: z.int(),
    svg: text.optional(),
    problem: text.optional(),
    width: length,
    height: length,
  }),
]);

export type FrameMessage = z.infer<typeof frameMessage>;

export interface PreviewFrame {
  readonly send: (message: object) => void;
  readonly close: () => void;
}

export interface FrameListener {
  readonly onMessage: (message: FrameMessage) => void;
  readonly onSilent: () => void;
}

export const previewAddress = "/preview";
/** Without `allow-same-origin` the frame has an origin of its own, and a process where the browser isolates sites. */
export const previewSandbox = "allow-scripts allow-forms";

const pingMs = 1_000;
/** Diagrams begin with a large library, which a busy machine runs slowly. */
const silentPings = { html: 5, svg: 5, diagrams: 30 } as const;
const startPings = 30;

export function connectPreview(
  frame: HTMLIFrameElement,
  shown: PreviewDocument,
  { onMessage, onSilent }: FrameListener,
): PreviewFrame {
  const { port1: port, port2: itsPort } = new MessageChannel();
  const mostUnanswered = silentPings[shown.kind];
  let unanswered = mostUnanswered - startPings;
  const begin = ({ source, data }: MessageEvent<unknown>) => {
    if (source !== frame.contentWindow || data !== "preview-ready") return;
    window.removeEventListener("message", begin);
    unanswered = 0;
    frame.contentWindow?.postMessage(shown, "*", [itsPort]);
  };
  port.onmessage = ({ data }) => {
    unanswered = 0;
    const message = frameMessage.safeParse(data);
    if (message.success && message.data.type !== "pong") onMessage(message.data);
  };
  const timer = setInterval(() => {
    if (document.visibilityState === "hidden") return;
    unanswered += 1;
    port.postMessage("ping");
    if (unanswered <= mostUnanswered) return;
    close();
    onSilent();
  }, pingMs);
  const close = () => {
    clearInterval(timer);
    window.removeEventListener("message", begin);
    port.close();
  };
  window.addEventListener("message", begin);
  return { send: (message) => port.postMessage(message), close };
}

const leastPx = 64;
export const mostPx = 384;

/** The height of a preview never shrinks: content that is a part of its frame's height would follow it down. */
export function previewHeight(reported: number, shown: number | null): number {
  return Math.max(Math.min(Math.max(Math.ceil(reported), leastPx), mostPx), shown ?? 0);
}
