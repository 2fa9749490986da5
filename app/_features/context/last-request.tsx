"use client";

import { Failure } from "@/app/_api/failure";
import { isReceiptAbsent, useReceipt } from "@/app/_data/context/use-context-of";
import { personalTitle } from "@/app/_data/memory/block-words";
import { countOf, formatTokens } from "@/app/_ui/format-amount";
import { ListSkeleton } from "@/app/_ui/loading";
import { Section } from "@/app/_ui/section";
import { PromptText } from "./prompt-text";

interface LastRequestProps {
  readonly sessionId: string;
  readonly answerId: string;
}

/** A program sends instructions and tools of its own, which the next message of a person has not. */
export function LastRequest({ sessionId, answerId }: LastRequestProps) {
  const receipt = useReceipt(sessionId, answerId);
  const { data } = receipt;
  if (isReceiptAbsent(receipt.error)) return null;
  return (
    <Section title="Last request" note="What the model was given when the program last asked.">
      {receipt.isError && <Failure of={receipt} />}
      {receipt.isPending && <ListSkeleton label="Loading the last request" rows={2} />}
      {data && (
        <>
          <p className="mb-3 text-muted text-sm">
            {countOf(data.messages.length, "message")}, {formatTokens(data.tokens.messages)} ·
            instructions, {formatTokens(data.tokens.prompt)} · {countOf(data.tools.length, "tool")},{" "}
            {formatTokens(data.tokens.tools)}
          </p>
          <PromptText prompt={data.prompt} />
          {data.personal !== undefined && (
            <>
              <h4 className="mt-3 mb-2 font-medium text-sm">Your own memory</h4>
              <PromptText prompt={data.personal} titleOf={personalTitle} />
            </>
          )}
        </>
      )}
    </Section>
  );
}
