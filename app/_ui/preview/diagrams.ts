import { connectPreview, type PreviewFrame, previewAddress, previewSandbox } from "./preview-frame";

export interface Diagram {
  /** A data URL: as an image it runs nothing and loads nothing. */
  readonly address: string;
  readonly size: { readonly width: number; readonly height: number } | null;
}

export type DiagramTheme = "default" | "dark";

const idleMs = 60_000;
const keptDiagrams = 200;

interface WaitingDiagram {
  readonly resolve: (diagram: Diagram) => void;
  readonly reject: (error: Error) => void;
}

interface Drawer {
  readonly frame: PreviewFrame;
  readonly element: HTMLIFrameElement;
  readonly waiting: Map<number, WaitingDiagram>;
}

const drawn = new Map<string, Promise<Diagram>>();
const ready = new Map<string, Diagram>();
let drawer: Promise<Drawer> | null = null;
let nextId = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

/**
 * Draws Mermaid in an invisible frame, so that neither a slow drawing nor a hostile one holds the page.
 *
 * @throws an error whose message says what is wrong with `source`, or a `DrawerError`.
 */
export function drawDiagram(source: string, theme: DiagramTheme): Promise<Diagram> {
  const key = keyOf(source, theme);
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const diagram = ask(source, theme);
  drawn.set(key, diagram);
  const oldest = drawn.keys().next().value;
  if (drawn.size > keptDiagrams && oldest !== undefined) {
    drawn.delete(oldest);
    ready.delete(oldest);
  }
  diagram.then(
    (shown) => drawn.has(key) && ready.set(key, shown),
    (error) => error instanceof DrawerError && drawn.delete(key),
  );
  return diagram;
}

export function drawnDiagram(source: string, theme: DiagramTheme): Diagram | null {
  return ready.get(keyOf(source, theme)) ?? null;
}

function keyOf(source: string, theme: DiagramTheme): string {
  return `${theme} ${source}`;
}

/** The drawing frame's failure, which may pass when asked again. */
export class DrawerError extends Error {
  override readonly name = "DrawerError";
}

async function ask(diagram: string, theme: DiagramTheme): Promise<Diagram> {
  drawer ??= openDrawer().catch((error) => {
    drawer = null;
    throw error;
  });
  const { frame, waiting } = await drawer;
  const id = nextId++;
  clearTimeout(idle);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    frame.send({ diagram, id, colours: { darkMode: theme === "dark", ...coloursOf(theme) } });
  });
}

const variables = {
  background: "--paper",
  textColor: "--ink",
  titleColor: "--ink",
  primaryColor: "--accent-soft",
  primaryTextColor: "--ink",
  primaryBorderColor: "--accent",
  secondaryColor: "--warn-soft",
  secondaryBorderColor: "--edge",
  tertiaryColor: "--sunken",
  tertiaryBorderColor: "--edge",
  lineColor: "--muted",
  edgeLabelBackground: "--raised",
  clusterBkg: "--sunken",
  clusterBorder: "--edge",
  noteBkgColor: "--warn-soft",
  noteTextColor: "--ink",
  noteBorderColor: "--edge",
} as const;

/** A custom property keeps both values of `light-dark()`; a colour has the one in use. */
function coloursOf(theme: DiagramTheme): Readonly<Record<string, string>> {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.dataset.theme = theme === "dark" ? "dark" : "light";
  const names = Object.entries(variables).map(([name, variable]) => {
    probe.style.color = `var(${variable})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(names);
}

async function openDrawer(): Promise<Drawer> {
  const library = await fetchLibrary();
  const element = document.createElement("iframe");
  element.setAttribute("sandbox", previewSandbox);
  element.src = previewAddress;
  element.title = "Diagrams";
  element.tabIndex = -1;
  element.ariaHidden = "true";
  // The frame needs a layout to measure text in.
  element.style.cssText = "position:fixed;left:-2000px;top:0;width:1000px;height:800px;border:0";
  const waiting = new Map<number, WaitingDiagram>();
  const frame = connectPreview(
    element,
    { kind: "diagrams", library },
    {
      onMessage(message) {
        if (message.type !== "drawn") return;
        const asked = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.svg === undefined)
          asked?.reject(new Error(message.problem?.split("\n")[0] || "It is empty."));
        else asked?.resolve({ address: addressOf(message.svg), size: sizeOf(message) });
        if (waiting.size === 0) idle = setTimeout(() => close("It was closed."), idleMs);
      },
      onSilent: () => close("It took too long."),
    },
  );
  function close(reason: string) {
    drawer = null;
    frame.close();
    element.remove();
    for (const { reject } of waiting.values()) reject(new DrawerError(reason));
  }
  document.body.append(element);
  return { frame, element, waiting };
}

async function fetchLibrary(): Promise<string> {
  const response = await fetch("/preview/mermaid.js").catch(() => null);
  if (!response?.ok) throw new DrawerError("Mermaid could not be loaded.");
  return response.text();
}

function sizeOf({ width, height }: { width?: number | undefined; height?: number | undefined }) {
  return width === undefined || height === undefined ? null : { width, height };
}

function addressOf(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}
