"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { upload } from "@/app/_api/upload";
import { exportType } from "@/app/_features/settings/use-data";
import { filePart, maxFileName } from "@/lib/chat/wire/files";
import type { SessionMessagePart } from "@/lib/session";
import {
  type HistoryImport,
  nothingRead,
  openChats,
  productOf,
  withReport,
} from "./history-import";
import type { Answer, Question } from "./worker-messages";

type Batch = Extract<Answer, { type: "batch" }>;
type FileOfChat = Extract<Answer, { type: "file" }>;

/** Reads files of other products in a worker; nothing is sent before the person has chosen. */
export function useHistoryImport() {
  const client = useQueryClient();
  const [state, setState] = useState<HistoryImport | null>(null);
  const worker = useRef<Worker | null>(null);
  const picked = useRef<readonly File[]>([]);
  const isStopping = useRef(false);
  const suggested = useRef(new Set<string>());
  const change = (changed: (before: HistoryImport) => HistoryImport) =>
    setState((before) => before && changed(before));

  const end = () => {
    worker.current?.terminate();
    worker.current = null;
  };
  useEffect(() => () => worker.current?.terminate(), []);

  function ask(question: Question): void {
    end();
    const begun = new Worker(new URL("./history-worker.ts", import.meta.url), { type: "module" });
    worker.current = begun;
    begun.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (worker.current === begun) take(data, begun);
    };
    begun.onerror = () => take({ type: "failed", message: "The files cannot be read." }, begun);
    begun.postMessage(question);
  }

  function take(given: Answer, from: Worker): void {
    switch (given.type) {
      case "found":
        change((before) => ({
          ...before,
          share: given.share,
          chats: [...before.chats, ...given.chats],
          problems: [...before.problems, ...given.problems],
        }));
        break;
      case "read": {
        const { instructions } = given;
        change((before) => ({ ...before, phase: "review", instructions }));
        break;
      }
      case "batch":
        void send(given, from);
        break;
      case "file":
        void store(given, from);
        break;
      case "converted":
        void suggest();
        break;
      case "failed":
        change((before) => {
          const phase = before.phase === "reading" ? "unreadable" : "failed";
          return { ...before, phase, error: given.message };
        });
    }
  }

  async function store({ name, blob }: FileOfChat, from: Worker): Promise<void> {
    const part = await storeFile(name, blob).catch((error: unknown) => {
      const problem = { name, message: `It could not be stored. ${errorSentence(error)}` };
      change((before) => ({ ...before, problems: [...before.problems, problem] }));
      return null;
    });
    from.postMessage({ type: "stored", part } satisfies Question);
  }

  async function send({ ids, file }: Batch, from: Worker): Promise<void> {
    try {
      const report = await upload("POST /api/import", file, { contentType: exportType });
      change((before) => withReport(before, { ids, report }));
      if (isStopping.current) ended("stopped");
      else from.postMessage({ type: "next" } satisfies Question);
    } catch (error) {
      end();
      change((before) => ({ ...before, phase: "failed", error: errorSentence(error) }));
    }
  }

  /** Nothing of it is saved before the person accepts it under Memory. */
  async function suggest(): Promise<void> {
    try {
      if (state?.takesInstructions)
        for (const content of state.instructions) {
          if (suggested.current.has(content)) continue;
          await api("POST /api/proposals", { body: { content, from: productOf(state) } });
          suggested.current.add(content);
        }
      ended("done");
    } catch (error) {
      end();
      change((before) => ({ ...before, phase: "failed", error: errorSentence(error) }));
    }
  }

  function ended(phase: "done" | "stopped"): void {
    end();
    void client.invalidateQueries();
    change((before) => ({ ...before, phase }));
  }

  return {
    state,
    read(files: readonly File[]) {
      picked.current = files;
      suggested.current.clear();
      setState(nothingRead);
      ask({ type: "read", files });
    },
    takeInstructions: (takesInstructions: boolean) =>
      change((before) => ({ ...before, takesInstructions })),
    exclude: (excluded: ReadonlySet<string>) => change((before) => ({ ...before, excluded })),
    /** Begins, or goes on where it stopped. */
    run() {
      if (!state) return;
      isStopping.current = false;
      change((before) => ({ ...before, phase: "importing", error: null }));
      // Only the suggestions failed.
      if (openChats(state).length === 0) return void suggest();
      ask({
        type: "convert",
        files: picked.current,
        ids: openChats(state).map(({ id }) => id),
      });
    },
    /** After the chats that are on their way. */
    stop() {
      isStopping.current = true;
      change((before) => ({ ...before, phase: "stopping" }));
    },
    close() {
      end();
      setState(null);
    },
  };
}

/** The same file again is stored once. */
async function storeFile(given: string, blob: Blob): Promise<SessionMessagePart> {
  const name = given.slice(-maxFileName);
  const contentType = "application/octet-stream";
  return filePart({ ...(await upload("POST /api/files", blob, { name, contentType })), name });
}
