"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { SessionMessagePart } from "grove-session";
import { useEffect, useRef, useState } from "react";
import { api } from "@/app/_api/api";
import { errorSentence } from "@/app/_api/api-error";
import { upload } from "@/app/_api/upload";
import { filePart, maxFileName } from "@/lib/chat/wire/files";
import {
  type HistoryImport,
  nothingRead,
  openChats,
  productOf,
  type WorkerReply,
  type WorkerRequest,
  withReport,
} from "./history-import/history-import";
import { exportType } from "./use-data";

type FoundReply = Extract<WorkerReply, { type: "found" }>;
type Batch = Extract<WorkerReply, { type: "batch" }>;
type FileOfChat = Extract<WorkerReply, { type: "file" }>;

type ChangeImport = (changed: (before: HistoryImport) => HistoryImport) => void;

/** Nothing is sent before the person has chosen. */
export function useHistoryImport() {
  const [state, setState] = useState<HistoryImport | null>(null);
  const picked = useRef<readonly File[]>([]);
  const change: ChangeImport = (changed) => setState((before) => before && changed(before));
  const { ask, end } = useHistoryWorker(take);
  const ending = useEnding(change, end);
  const uploads = useUploads(change, ending);
  const suggestions = useSuggestions(ending);

  function take(given: WorkerReply, from: Worker): void {
    switch (given.type) {
      case "found":
        change((before) => withFound(before, given));
        break;
      case "read": {
        const { instructions } = given;
        change((before) => ({ ...before, phase: "review", instructions }));
        break;
      }
      case "batch":
        void uploads.send(given, from);
        break;
      case "file":
        void uploads.store(given, from);
        break;
      case "converted":
        void suggestions.suggest(state);
        break;
      case "failed":
        change((before) => {
          const phase = before.phase === "reading" ? "unreadable" : "failed";
          return { ...before, phase, error: given.message };
        });
    }
  }

  return {
    state,
    read(files: readonly File[]) {
      picked.current = files;
      suggestions.forget();
      setState(nothingRead);
      ask({ type: "read", files });
    },
    takeInstructions: (takesInstructions: boolean) =>
      change((before) => ({ ...before, takesInstructions })),
    exclude: (excluded: ReadonlySet<string>) => change((before) => ({ ...before, excluded })),
    run() {
      if (!state) return;
      uploads.begin();
      if (openChats(state).length === 0) return void suggestions.suggest(state);
      ask({ type: "convert", files: picked.current, ids: openChats(state).map(({ id }) => id) });
    },
    stop: uploads.stop,
    close() {
      end();
      setState(null);
    },
  };
}

function useHistoryWorker(take: (given: WorkerReply, from: Worker) => void) {
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);

  function end() {
    worker.current?.terminate();
    worker.current = null;
  }

  function ask(question: WorkerRequest): void {
    end();
    const begun = new Worker(new URL("./history-import/history-worker.ts", import.meta.url), {
      type: "module",
    });
    worker.current = begun;
    begun.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
      if (worker.current === begun) take(data, begun);
    };
    begun.onerror = () => take({ type: "failed", message: "The files cannot be read." }, begun);
    begun.postMessage(question);
  }

  return { ask, end };
}

type Ending = ReturnType<typeof useEnding>;

function useEnding(change: ChangeImport, end: () => void) {
  const client = useQueryClient();
  return {
    ended(phase: "done" | "stopped"): void {
      end();
      void client.invalidateQueries();
      change((before) => ({ ...before, phase }));
    },
    failed(error: unknown): void {
      end();
      change((before) => ({ ...before, phase: "failed", error: errorSentence(error) }));
    },
  };
}

function useUploads(change: ChangeImport, { ended, failed }: Ending) {
  const isStopping = useRef(false);
  return {
    begin(): void {
      isStopping.current = false;
      change((before) => ({ ...before, phase: "importing", error: null }));
    },
    stop(): void {
      isStopping.current = true;
      change((before) => ({ ...before, phase: "stopping" }));
    },
    async store({ name, blob }: FileOfChat, from: Worker): Promise<void> {
      const part = await storeFile(name, blob).catch((error: unknown) => {
        const problem = { name, message: `It could not be stored. ${errorSentence(error)}` };
        change((before) => ({ ...before, problems: [...before.problems, problem] }));
        return null;
      });
      from.postMessage({ type: "stored", part } satisfies WorkerRequest);
    },
    async send({ ids, file }: Batch, from: Worker): Promise<void> {
      try {
        const report = await upload("POST /api/import", file, { contentType: exportType });
        change((before) => withReport(before, { ids, report }));
        if (isStopping.current) ended("stopped");
        else from.postMessage({ type: "next" } satisfies WorkerRequest);
      } catch (error) {
        failed(error);
      }
    },
  };
}

function useSuggestions({ ended, failed }: Ending) {
  const suggested = useRef(new Set<string>());
  return {
    forget: () => suggested.current.clear(),
    /** A suggestion is saved once accepted under Memory. */
    async suggest(given: HistoryImport | null): Promise<void> {
      try {
        if (given?.takesInstructions)
          for (const content of given.instructions) {
            if (suggested.current.has(content)) continue;
            await api("POST /api/proposals", { body: { content, from: productOf(given) } });
            suggested.current.add(content);
          }
        ended("done");
      } catch (error) {
        failed(error);
      }
    },
  };
}

function withFound(before: HistoryImport, { share, chats, problems }: FoundReply): HistoryImport {
  return {
    ...before,
    share,
    chats: [...before.chats, ...chats],
    problems: [...before.problems, ...problems],
  };
}

async function storeFile(given: string, blob: Blob): Promise<SessionMessagePart> {
  const name = given.slice(-maxFileName);
  const contentType = "application/octet-stream";
  return filePart({ ...(await upload("POST /api/files", blob, { name, contentType })), name });
}
