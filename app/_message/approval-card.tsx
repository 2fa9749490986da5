"use client";

import { useState } from "react";
import { Button } from "@/app/_ui/button";
import { TextareaField } from "@/app/_ui/fields";
import { useKeptState } from "@/app/_ui/use-kept-state";
import {
  ApprovalChoices,
  ApprovalFrame,
  type ApprovalView,
  DenialForm,
  useDecision,
} from "./approval-frame";
import type { ToolCall } from "./message-parts";
import { ReadableValue } from "./readable-value";
import { toolName } from "./tool-words";

export interface ApprovalCardProps {
  readonly sessionId: string;
  readonly messageId: string;
  readonly call: ToolCall & { readonly approvalId: string };
  /** ISO 8601. */
  readonly askedAt: string | null;
}

/** Exactly what a tool would be given, and the person's choices. */
export function ApprovalCard({ sessionId, messageId, call, askedAt }: ApprovalCardProps) {
  const key = `approval/${messageId}/${call.approvalId}`;
  const [view, setView] = useKeptState<ApprovalView>(key, "shown");
  const deciding = useDecision({ sessionId, messageId, approvalId: call.approvalId });
  const { mutate, isPending, error } = deciding;
  const back = () => setView("shown");
  return (
    <ApprovalFrame to={`call ${toolName(call)}`} askedAt={askedAt} error={error}>
      {view === "changed" ? (
        <InputForm
          stateKey={key}
          input={call.input}
          isBusy={isPending}
          onSave={(input) => mutate({ decision: "approve", input })}
          onCancel={back}
        />
      ) : (
        <ReadableValue value={call.input} />
      )}
      {view === "denied" && (
        <DenialForm
          stateKey={key}
          isBusy={isPending}
          onDeny={(reason) => mutate({ decision: "deny", ...(reason !== "" && { reason }) })}
          onCancel={back}
        />
      )}
      {view === "shown" && (
        <ApprovalChoices
          isBusy={isPending}
          onApprove={() => mutate({ decision: "approve" })}
          onApproveForChat={() => mutate({ decision: "approve", forChat: true })}
          onEdit={() => setView("changed")}
          onDeny={() => setView("denied")}
        />
      )}
    </ApprovalFrame>
  );
}

interface InputFormProps {
  readonly stateKey: string;
  readonly input: unknown;
  readonly isBusy: boolean;
  readonly onSave: (input: Record<string, unknown>) => void;
  readonly onCancel: () => void;
}

function InputForm({ stateKey, input, isBusy, onSave, onCancel }: InputFormProps) {
  const [text, setText] = useKeptState(`${stateKey}/input`, JSON.stringify(input ?? {}, null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const changed = objectIn(text);
        if (changed) onSave(changed);
        else setProblem("This is no JSON object.");
      }}
    >
      <TextareaField
        label="Input"
        className="font-mono text-xs"
        spellCheck={false}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={isBusy}>
          Approve with changes
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
