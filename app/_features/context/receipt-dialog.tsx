"use client";

import type { ReactNode } from "react";
import { Failure } from "@/app/_api/failure";
import { isReceiptAbsent, useReceipt } from "@/app/_data/context/use-context-of";
import { blockAtVersion, personalTitle, targetName } from "@/app/_data/memory/block-words";
import { choiceWords, refusedWords, withoutWords } from "@/app/_data/models/model-words";
import { parameterWords } from "@/app/_data/models/parameter-form";
import { useModelName } from "@/app/_data/models/use-models";
import { NamedPages } from "@/app/_message/files/cited-page";
import { Dialog } from "@/app/_ui/dialog";
import { formatCost, formatCount, formatNumber } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { Skeleton } from "@/app/_ui/loading";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { missingWords } from "./assistant-use";
import { PromptText } from "./prompt-text";

export interface ReceiptDialogProps {
  readonly sessionId: string;
  readonly messageId: string;
  readonly onClose: () => void;
}

export function ReceiptDialog({ sessionId, messageId, onClose }: ReceiptDialogProps) {
  const receipt = useReceipt(sessionId, messageId);
  const { data, error } = receipt;
  return (
    <Dialog
      onClose={onClose}
      title="Prompt for this answer"
      description="Everything the model was given, in order."
      width="lg"
    >
      {data && <Receipt receipt={data} />}
      {!data && error && isReceiptAbsent(error) && (
        <p className="text-muted text-sm">
          No receipt was kept for this answer. Answers that are written in Grove keep one; those
          that came from elsewhere may have none.
        </p>
      )}
      {!data && error && !isReceiptAbsent(error) && <Failure of={receipt} />}
      {!data && !error && <Skeleton className="h-72 w-full" />}
    </Dialog>
  );
}

function Receipt({ receipt }: { receipt: ReceiptWire }) {
  return (
    <div className="flex flex-col gap-6 text-sm">
      {receipt.isOfOriginal && (
        <p className="rounded-lg bg-accent-soft px-3.5 py-2">
          Edited by you. This is the prompt for the answer you edited.
        </p>
      )}
      <Facts receipt={receipt} />
      {receipt.assistant && receipt.missing && (
        <p className="wrap-anywhere text-warn">
          {missingWords(receipt.assistant.name, receipt.missing)}
        </p>
      )}
      <Part title="System prompt" note={tokens(receipt.tokens.prompt)}>
        <PromptText prompt={receipt.prompt} />
      </Part>
      {receipt.personal !== undefined && (
        <Part title="Your own memory" note="Kept for you alone">
          <PromptText prompt={receipt.personal} titleOf={personalTitle} />
        </Part>
      )}
      <Part title={`Messages (${receipt.messages.length})`} note={tokens(receipt.tokens.messages)}>
        <ol className="divide-y divide-line rounded-lg border border-line">
          {receipt.messages.map((message) => (
            <li key={message.id} className="flex gap-3 px-3.5 py-2">
              <span className="w-20 shrink-0 text-faint">{roleName(message)}</span>
              <div className="min-w-0 flex-1">
                {message.since !== "deleted" && (
                  <p dir="auto" className="wrap-anywhere line-clamp-2">
                    {message.preview}
                  </p>
                )}
                {message.goesOn && (
                  <p className="text-faint text-xs">Cut off. The answer goes on with it.</p>
                )}
                {message.isEdited && <p className="text-faint text-xs">Edited by you.</p>}
                {message.since && <p className="text-faint text-xs">{sinceWords[message.since]}</p>}
                {message.shortened?.map((output, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a message's outputs keep their order
                  <p key={at} className="text-faint text-xs tabular-nums">
                    {shortenedWords(output)}
                  </p>
                ))}
                {message.withheld?.map(({ name, reason }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a message's files keep their order
                  <p key={at} className="wrap-anywhere text-warn text-xs">
                    {`“${isolated(name)}” not sent: ${reason}`}
                  </p>
                ))}
              </div>
              <span className="shrink-0 text-faint tabular-nums">
                {formatCount(message.tokens)}
              </span>
            </li>
          ))}
        </ol>
      </Part>
      <Part title="Memory">
        <Words none="No memory." words={receipt.blocks.map(blockAtVersion)} />
      </Part>
      <Part title="Loaded skills">
        <Words none="None." words={receipt.skills.map(targetName)} />
      </Part>
      {receipt.pages && (
        <>
          <Pages title="Pages found" pages={receipt.pages.found} />
          <Pages title="Pages read" pages={receipt.pages.read} />
        </>
      )}
      <Part title="Tools" note={tokens(receipt.tokens.tools)}>
        <Words none="None." words={receipt.tools.map((name) => toolName(name, receipt))} />
        <NotSent receipt={receipt} />
      </Part>
    </div>
  );
}

function Facts({ receipt }: { receipt: ReceiptWire }) {
  const nameOf = useModelName();
  const { assistant, usage, cost, startedAt, finishedAt } = receipt;
  const facts: readonly (readonly [string, string])[] = [
    ...(assistant
      ? [["Assistant", `${assistant.name}, version ${assistant.version}`] as const]
      : []),
    ["Model", modelWords(receipt, nameOf)],
    ...parameterWords(receipt.parameters ?? {}),
    ["Input", usage ? tokens(usage.inputTokens) : "not reported"],
    ...(usage?.cachedInputTokens ? [["Cached", tokens(usage.cachedInputTokens)] as const] : []),
    ["Output", usage ? tokens(usage.outputTokens) : "not reported"],
    ["Cost", cost === null ? "unknown" : formatCost(cost)],
    ["Time", finishedAt ? seconds(startedAt, finishedAt) : "not finished"],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-faint text-xs">{name}</dt>
          <dd className="wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function modelWords({ model, choice }: ReceiptWire, nameOf: (ref: string) => string): string {
  if (choice === undefined) return nameOf(model);
  return `${nameOf(model)} (automatic: ${choiceWords[choice]})`;
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 flex items-baseline justify-between gap-4 font-medium">
        {title}
        {note && <span className="font-normal text-faint text-xs tabular-nums">{note}</span>}
      </h3>
      {children}
    </section>
  );
}

type PagesGiven = NonNullable<ReceiptWire["pages"]>["found"];

function Pages({ title, pages }: { title: string; pages: PagesGiven }) {
  return (
    <Part title={`${title} (${pages.length})`}>
      {pages.length === 0 ? <Words none="None." words={[]} /> : <NamedPages pages={pages} />}
    </Part>
  );
}

function Words({ words, none }: { words: readonly string[]; none: string }) {
  return <p className="text-muted">{words.length === 0 ? none : words.join(" · ")}</p>;
}

function NotSent({ receipt: { without = [], refused = [] } }: { receipt: ReceiptWire }) {
  return (
    <>
      {refused.map(({ feature, words }) => (
        <p key={feature} className="wrap-anywhere mt-1 text-warn text-xs">
          {`${refusedWords(feature)} It said: “${words}”`}
        </p>
      ))}
      {without.map((feature) => (
        <p key={feature} className="mt-1 text-faint text-xs">
          {withoutWords(feature)}
        </p>
      ))}
    </>
  );
}

const sinceWords = {
  edited: "Edited since. This is how it reads now.",
  deleted: "Deleted since.",
} as const;

function roleName({ id, role }: ReceiptWire["messages"][number]): string {
  if (id.startsWith("compaction_")) return "Summary";
  if (id.startsWith("grove_")) return "Grove";
  return role === "user" ? "You" : "Answer";
}

type ReceiptOutput = NonNullable<ReceiptWire["messages"][number]["shortened"]>[number];

function shortenedWords({ toolName, shownChars, totalChars }: ReceiptOutput): string {
  const size = `${formatCount(shownChars)} of ${formatCount(totalChars)} characters`;
  return `Output of ${toolName.replaceAll("_", " ")} shortened: ${size}`;
}

function toolName(name: string, { origins = [] }: ReceiptWire): string {
  const origin = origins.find(({ tool }) => tool === name);
  return origin ? `${isolated(origin.title)} (${isolated(origin.name)})` : name;
}

function tokens(count: number): string {
  return `${formatCount(count)} tokens`;
}

function seconds(from: string, to: string): string {
  const elapsed = (new Date(to).getTime() - new Date(from).getTime()) / 1_000;
  return `${formatNumber(elapsed, 1)} s`;
}
