"use client";

import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "@/app/_ui/button";
import "@/app/_ui/markdown/markdown.css";
import { useOnPaper } from "@/app/_ui/on-paper";
import { useKeptState } from "@/app/_ui/use-kept-state";
import { type Diagram, DrawerError, drawDiagram, drawnDiagram } from "./diagrams";
import {
  connectPreview,
  mostPx,
  previewAddress,
  previewHeight,
  previewSandbox,
} from "./preview-frame";

export type PreviewKind = "html" | "svg" | "diagram";

type PreviewSize = "small" | "large";

export interface PreviewViewProps {
  readonly kind: PreviewKind;
  readonly code: string;
  readonly place: PreviewSize;
  readonly onStop: () => void;
  readonly children: ReactNode;
}

export function PreviewView({ kind, code, place, onStop, children }: PreviewViewProps) {
  return kind === "diagram" ? (
    <DiagramView source={code} place={place}>
      {children}
    </DiagramView>
  ) : (
    <FrameView key={code} kind={kind} source={code} place={place} onStop={onStop}>
      {children}
    </FrameView>
  );
}

interface FrameViewProps {
  readonly kind: "html" | "svg";
  readonly source: string;
  readonly place: PreviewSize;
  readonly onStop: () => void;
  readonly children: ReactNode;
}

const heightKey = (source: string) => `preview height ${source}`;

const heightWaitMs = 2_000;

function FrameView({ kind, source, place, onStop, children }: FrameViewProps) {
  const { frame, runs, height, isSilent, problem, hosts, runAgain } = usePreviewRun({
    kind,
    source,
    place,
  });
  if (isSilent) {
    return (
      <div role="alert" className="preview-note">
        <p>The preview stopped answering, so it was closed.</p>
        <Button size="sm" onClick={runAgain}>
          Run again
        </Button>
        <Button size="sm" variant="ghost" onClick={onStop}>
          Show code
        </Button>
      </div>
    );
  }
  const isMeasuring = place === "small" && height === null;
  return (
    <>
      {isMeasuring && children}
      <iframe
        key={runs}
        ref={frame}
        src={previewAddress}
        sandbox={previewSandbox}
        referrerPolicy="no-referrer"
        title="Preview"
        className="preview-frame"
        data-measuring={isMeasuring || undefined}
        {...(place === "small" && { style: { height: height ?? mostPx } })}
      />
      {problem && (
        <p role="status" className="preview-note">
          An error in it: {problem}
        </p>
      )}
      {hosts.length > 0 && (
        <p role="status" className="preview-note">
          Previews have no network. Not loaded: {hosts.join(", ")}
        </p>
      )}
    </>
  );
}

function usePreviewRun({ kind, source, place }: Pick<FrameViewProps, "kind" | "source" | "place">) {
  const [height, setHeight] = useKeptState<number | null>(heightKey(source), null);
  const [runs, setRuns] = useState(0);
  const [isSilent, setIsSilent] = useState(false);
  const [problem, setProblem] = useState("");
  const [hosts, setHosts] = useState<readonly string[]>([]);
  const frame = useRef<HTMLIFrameElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run has a frame of its own
  useEffect(() => {
    if (!frame.current || isSilent) return;
    let measured = height;
    const take = (px: number) => {
      measured = previewHeight(px, measured);
      setHeight(measured);
    };
    const waiting = setTimeout(() => measured === null && setHeight(mostPx), heightWaitMs);
    const { close } = connectPreview(
      frame.current,
      { kind, source },
      {
        onMessage(message) {
          if (message.type === "problem") setProblem(message.message);
          if (message.type === "height" && place === "small") take(message.px);
          if (message.type !== "blocked") return;
          setHosts((known) => [...new Set([...known, message.host])].slice(0, 5));
        },
        onSilent: () => setIsSilent(true),
      },
    );
    return () => {
      clearTimeout(waiting);
      close();
    };
  }, [kind, source, runs, isSilent]);
  const runAgain = () => {
    setProblem("");
    setHosts([]);
    setHeight(null);
    setIsSilent(false);
    setRuns(runs + 1);
  };
  return { frame, runs, height, isSilent, problem, hosts, runAgain };
}

interface DiagramViewProps {
  readonly source: string;
  readonly place: PreviewSize;
  readonly children: ReactNode;
}

function DiagramView({ source, place, children }: DiagramViewProps) {
  const [problem, setProblem] = useState<Error | null>(null);
  const [tries, setTries] = useState(0);
  const isDark = useSyncExternalStore(subscribeToTheme, isDarkNow, () => false);
  const isOnPaper = useOnPaper();
  const theme = isDark && !isOnPaper ? "dark" : "default";
  const [diagram, setDiagram] = useState<Diagram | null>(() => drawnDiagram(source, theme));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try draws again
  useEffect(() => {
    let isCurrent = true;
    setProblem(null);
    drawDiagram(source, theme).then(
      (found) => isCurrent && setDiagram(found),
      (error: Error) => isCurrent && setProblem(error),
    );
    return () => {
      isCurrent = false;
    };
  }, [source, theme, tries]);
  if (problem !== null) {
    return (
      <>
        <div role="status" className="preview-note">
          <p>This diagram could not be drawn: {problem.message}</p>
          {problem instanceof DrawerError && (
            <Button size="sm" onClick={() => setTries(tries + 1)}>
              Try again
            </Button>
          )}
        </div>
        {place === "small" && children}
      </>
    );
  }
  if (diagram === null) return <p className="preview-note">Drawing…</p>;
  const { address, size } = diagram;
  return (
    // biome-ignore lint/performance/noImgElement: a data URL, which nothing can optimize
    <img
      className="preview-image"
      src={address}
      alt="Diagram"
      {...(place === "small" &&
        size && {
          "data-sized": true,
          style: { width: size.width, aspectRatio: size.width / size.height },
        })}
    />
  );
}

const darkQuery = "(prefers-color-scheme: dark)";

function isDarkNow(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && window.matchMedia(darkQuery).matches);
}

function subscribeToTheme(listener: () => void): () => void {
  const query = window.matchMedia(darkQuery);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  query.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    query.removeEventListener("change", listener);
  };
}
