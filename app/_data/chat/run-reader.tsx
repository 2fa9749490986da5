"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { preloadable } from "@/app/_ui/preloadable";
import { useStore } from "@/app/_ui/store";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { type ReadRun, runReading } from "./run-reading";

const full = preloadable(() => import("./full-run-reader").then((part) => part.FullRunReader));

export interface RunReaderProps {
  readonly run: ReadRun;
  readonly before: GroveMessage | null;
  readonly onMessage: (message: GroveMessage) => void;
  readonly onEnd: () => void;
}

export function RunReader({ run, before, onMessage, onEnd }: RunReaderProps) {
  const [reading] = useState(() => runReading(run));
  const { message, isPlain, isReconnecting, isEnded } = useStore(reading.state);

  useEffect(() => reading.retain(), [reading]);

  const hand = useEffectEvent(onMessage);
  const fullReader = useFullReader({ isNeeded: !isPlain });
  // Text goes on without the full reader where it cannot be loaded; the stored answer shows the rest.
  const isTextHanded = isPlain || fullReader === "missing";
  useEffect(() => {
    if (message && isTextHanded) hand(message);
  }, [message, isTextHanded]);

  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isEnded) end();
  }, [isEnded]);

  return (
    <>
      {fullReader === "loaded" && (
        <full.Component run={run} before={before} reading={reading} onMessage={onMessage} />
      )}
      {isReconnecting && (
        <p role="status" className="py-1 text-muted text-sm">
          Connection lost. Reconnecting…
        </p>
      )}
    </>
  );
}

function useFullReader({ isNeeded }: { isNeeded: boolean }): "loaded" | "missing" | null {
  const [state, setState] = useState<"loaded" | "missing" | null>(null);
  useEffect(() => {
    if (isNeeded) void full.preload().then(() => setState(full.isLoaded() ? "loaded" : "missing"));
  }, [isNeeded]);
  return state;
}
