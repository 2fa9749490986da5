"use client";

import Link from "next/link";
import { VList } from "virtua";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { countOf, formatCount, formatShare } from "@/app/_ui/format-amount";
import { ErrorNotice } from "@/app/_ui/notice";
import { dateWords, dayOf } from "@/app/_ui/reader-day";
import type { FoundChat } from "@/lib/history/found-chats";
import {
  chosenChats,
  type HistoryImport,
  type ImportedOutcome,
  lossesOf,
  openChats,
  productOf,
  tally,
  unseenBranches,
} from "./history-import/history-import";
import type { useHistoryImport } from "./use-history-import";

export interface HistoryDialogProps {
  history: ReturnType<typeof useHistoryImport>;
}

export function HistoryDialog({ history }: HistoryDialogProps) {
  const { state, exclude, close } = history;
  if (!state) return null;
  return (
    <Dialog
      onClose={() => {
        // The remaining chats would arrive without a report, so the import stops first and says what came in.
        if (state.phase === "importing") history.stop();
        else if (state.phase !== "stopping") close();
      }}
      width="lg"
      title="Import chats"
      description={descriptionOf(state)}
      footer={<Actions history={history} state={state} />}
    >
      <div className="flex flex-col gap-4 text-sm">
        {state.error && <ErrorNotice>{state.error}</ErrorNotice>}
        <Progress state={state} />
        {state.phase === "done" && <Unseen state={state} onLeave={close} />}
        {state.chats.length > 0 && state.phase !== "reading" && (
          <ChatList state={state} onExclude={state.phase === "review" ? exclude : null} />
        )}
        {state.instructions.length > 0 && (
          <Instructions state={state} onTake={history.takeInstructions} />
        )}
        {state.phase !== "reading" && <Losses state={state} />}
      </div>
    </Dialog>
  );
}

function descriptionOf(state: HistoryImport): string {
  const { phase, chats } = state;
  if (phase === "reading") return "Reading the files in your browser. Nothing is imported yet.";
  if (chats.length === 0) return "No chats were found.";
  const messages = chats.reduce((sum, each) => sum + each.messages, 0);
  const more = chats.reduce((sum, each) => sum + Math.max(0, each.branches - 1), 0);
  const amounts = [
    countOf(chats.length, "chat"),
    countOf(messages, "message"),
    more > 0 && `${formatCount(more)} extra ${more === 1 ? "branch" : "branches"}`,
  ];
  return `${amounts.filter(Boolean).join(", ")} from ${productOf(state)}.`;
}

function Actions({ history, state }: HistoryDialogProps & { state: HistoryImport }) {
  const { run, stop, close } = history;
  const open = openChats(state).length;
  switch (state.phase) {
    case "importing":
      return <Button onClick={stop}>Stop</Button>;
    case "stopping":
      return <Button busy>Stopping…</Button>;
    case "done":
      return <Button onClick={close}>Close</Button>;
    case "stopped":
    case "failed":
      return (
        <>
          <Button onClick={close}>Close</Button>
          <Button variant="primary" onClick={run}>
            {open > 0 ? `Continue with ${countOf(open, "chat")}` : "Suggest again"}
          </Button>
        </>
      );
    default:
      return (
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" onClick={run} disabled={state.phase !== "review" || open === 0}>
            {state.phase === "review" ? `Import ${countOf(open, "chat")}` : "Import"}
          </Button>
        </>
      );
  }
}

function Progress({ state }: { state: HistoryImport }) {
  const { phase, share, chats, outcomes } = state;
  if (phase === "review" || phase === "unreadable") return null;
  const isReading = phase === "reading";
  const all = chosenChats(state).length;
  const done = isReading ? share : outcomes.size / Math.max(1, all);
  const { imported, already, restored, failed } = tally(outcomes);
  const facts = [
    `${countOf(imported, "chat")} imported`,
    already > 0 && `${formatCount(already)} already here`,
    restored > 0 && `${formatCount(restored)} restored`,
    failed > 0 && `${formatCount(failed)} skipped`,
  ].filter((fact) => fact !== false);
  return (
    <div role="status" className="flex flex-col gap-2">
      <p>
        {isReading
          ? `${formatShare(share)} read, ${countOf(chats.length, "chat")} found`
          : `${facts.join(", ")}${phase === "done" ? "." : ` of ${formatCount(all)}`}`}
      </p>
      {phase !== "done" && (
        <progress
          value={done}
          aria-label={isReading ? "Read" : "Imported"}
          className="h-1.5 w-full overflow-hidden rounded-full accent-accent"
        />
      )}
    </div>
  );
}

function Unseen({ state, onLeave }: { state: HistoryImport; onLeave: () => void }) {
  const { count, chats } = unseenBranches(state);
  if (count === 0) return null;
  return (
    <section className="rounded-lg border border-line bg-ground p-3">
      <p className="font-medium">
        We found {formatCount(count)} {count === 1 ? "branch" : "branches"} you may not have seen.
      </p>
      <p className="text-muted">Look around in the chats with the most:</p>
      <ul className="mt-1">
        {chats.map(({ sessionId, title, branches }) => (
          <li key={sessionId} className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2">
            <Link
              href={sessionAddress(sessionId)}
              onClick={onLeave}
              className="min-w-0 truncate underline underline-offset-2"
            >
              <bdi>{title}</bdi>
            </Link>
            <span className="shrink-0 text-muted">{formatCount(branches)} branches</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChatList({
  state: { chats, excluded, outcomes },
  onExclude,
}: {
  state: HistoryImport;
  onExclude: ((excluded: ReadonlySet<string>) => void) | null;
}) {
  const hasAll = excluded.size === 0;
  return (
    <section aria-label="Chats found" className="rounded-lg border border-line">
      {onExclude && (
        <label className="flex min-h-9 pointer-coarse:min-h-11 items-center gap-3 border-line border-b px-3 font-medium">
          <input
            type="checkbox"
            checked={hasAll}
            onChange={() => onExclude(new Set(hasAll ? chats.map(({ id }) => id) : []))}
            className="size-4 accent-accent"
          />
          All chats
        </label>
      )}
      <VList data={chats} itemSize={52} style={{ height: Math.min(320, chats.length * 52) }}>
        {(chat) => (
          <ChatRow
            key={chat.id}
            chat={chat}
            outcome={outcomes.get(chat.id)}
            isChosen={!excluded.has(chat.id)}
            onToggle={
              onExclude && (() => onExclude(excluded.symmetricDifference(new Set([chat.id]))))
            }
          />
        )}
      </VList>
    </section>
  );
}

const outcomeNames: Record<ImportedOutcome["outcome"], string> = {
  imported: "Imported",
  already: "Already here",
  restored: "Restored",
  failed: "Skipped",
};

interface ChatRowProps {
  chat: FoundChat;
  outcome: ImportedOutcome | undefined;
  isChosen: boolean;
  onToggle: (() => void) | null;
}

function ChatRow({ chat, outcome, isChosen, onToggle }: ChatRowProps) {
  const { id, title, updatedAt, messages, branches, losses } = chat;
  const facts = [
    updatedAt && dateWords(dayOf(new Date(updatedAt))),
    countOf(messages, "message"),
    branches > 1 && `${formatCount(branches)} branches`,
  ].filter(Boolean);
  const remarks = [outcome?.outcome === "failed" && outcome.message, ...losses].filter(Boolean);
  return (
    <div className="flex min-h-13 items-center gap-3 border-line border-b px-3 py-1.5">
      {onToggle && (
        <input
          id={`import-${id}`}
          type="checkbox"
          checked={isChosen}
          onChange={onToggle}
          className="size-4 shrink-0 accent-accent"
        />
      )}
      <label htmlFor={onToggle ? `import-${id}` : undefined} className="min-w-0 flex-1">
        <span className="block truncate">
          <bdi>{title}</bdi>
        </span>
        <span className="block truncate text-muted text-xs" title={remarks.join(" ")}>
          {[...facts, ...remarks].join(" · ")}
        </span>
      </label>
      {outcome && (
        <Badge tone={outcome.outcome === "failed" ? "danger" : "neutral"}>
          {outcomeNames[outcome.outcome]}
        </Badge>
      )}
    </div>
  );
}

function Instructions({
  state: { phase, instructions, takesInstructions },
  onTake,
}: {
  state: HistoryImport;
  onTake: (takes: boolean) => void;
}) {
  return (
    <section className="flex flex-col gap-2">
      <label className="flex min-h-9 pointer-coarse:min-h-11 items-center gap-3">
        <input
          type="checkbox"
          checked={takesInstructions}
          disabled={phase !== "review"}
          onChange={({ target }) => onTake(target.checked)}
          className="size-4 accent-accent"
        />
        Suggest {countOf(instructions.length, "custom instruction")} for memory
      </label>
      {phase === "done" && takesInstructions && (
        <p className="text-muted">They wait under Memory. Nothing is saved until you accept.</p>
      )}
      <ul aria-label="Custom instructions" className="flex max-h-40 flex-col gap-2 overflow-y-auto">
        {instructions.map((text) => (
          <li
            key={text}
            className="wrap-anywhere whitespace-pre-wrap rounded-md bg-ground p-2 text-xs"
          >
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Losses({ state: { chats, problems } }: { state: HistoryImport }) {
  const losses = lossesOf(chats);
  if (losses.length === 0 && problems.length === 0) return null;
  return (
    <section className="flex flex-col gap-1 text-muted">
      <h3 className="font-medium text-ink">Not imported</h3>
      <ul
        aria-label="Not imported"
        className="flex max-h-40 flex-col gap-1 overflow-y-auto text-xs"
      >
        {losses.map(([sentence, count]) => (
          <li key={sentence}>
            {sentence} ({countOf(count, "chat")})
          </li>
        ))}
        {problems.slice(0, 100).map(({ name, message }) => (
          <li key={`${name} ${message}`} className="[overflow-wrap:anywhere]">
            <bdi className="font-medium text-ink">{name}</bdi>: {message}
          </li>
        ))}
        {problems.length > 100 && <li>And {formatCount(problems.length - 100)} more.</li>}
      </ul>
    </section>
  );
}
