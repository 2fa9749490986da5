"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { InputField, TextareaField } from "@/app/_ui/fields";
import { RelativeTime, useNow } from "@/app/_ui/relative-time";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { DecideRequest } from "@/lib/chat/wire/messages";
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

type View = "shown" | "changed" | "denied";

const dayMs = 86_400_000;

/** Exactly what a tool would be given, and the person's choices. */
export function ApprovalCard({ sessionId, messageId, call, askedAt }: ApprovalCardProps) {
  const key = `approval/${messageId}/${call.approvalId}`;
  const [view, setView] = useKeptState<View>(key, "shown");
  const deciding = useDecision({ sessionId, messageId, approvalId: call.approvalId });
  const name = toolName(call);
  const { mutate, isPending, error } = deciding;
  const back = () => setView("shown");
  return (
    <section
      aria-label={`Permission to call ${name}`}
      className="my-3 flex flex-col gap-3 rounded-lg border border-accent/40 bg-raised p-3.5"
    >
      <header>
        <p className="wrap-anywhere font-medium text-sm">May the model call {name}?</p>
        {askedAt !== null && <AskedAt at={askedAt} />}
      </header>
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
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            variant="primary"
            busy={isPending}
            onClick={() => mutate({ decision: "approve" })}
          >
            Approve
          </Button>
          <Button
            size="sm"
            disabled={isPending}
            onClick={() => mutate({ decision: "approve", forChat: true })}
          >
            Approve for this chat
          </Button>
          <Button size="sm" disabled={isPending} onClick={() => setView("changed")}>
            Edit
          </Button>
          <Button size="sm" variant="ghost" disabled={isPending} onClick={() => setView("denied")}>
            Deny
          </Button>
        </div>
      )}
      {error && (
        <p role="alert" className="text-danger text-sm">
          {errorSentence(error)}
        </p>
      )}
    </section>
  );
}

function AskedAt({ at }: { at: string }) {
  const isOld = useNow() - Date.parse(at) > dayMs;
  return (
    <p className="text-faint text-xs">
      Asked <RelativeTime at={at} />
      {isOld && ". More than a day has passed: check that this is still what you want."}
    </p>
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

interface DenialFormProps {
  readonly stateKey: string;
  readonly isBusy: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onCancel: () => void;
}

function DenialForm({ stateKey, isBusy, onDeny, onCancel }: DenialFormProps) {
  const [reason, setReason] = useKeptState(`${stateKey}/reason`, "");
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
    >
      <InputField
        label="Reason"
        optional
        hint="The model reads it."
        maxLength={2_000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={isBusy}>
          Deny
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

/** Another tab may have decided first; the transcript then shows what. */
function useDecision(params: { sessionId: string; messageId: string; approvalId: string }) {
  const client = useQueryClient();
  const reread = () =>
    client.invalidateQueries({ queryKey: queryKeys.transcripts(params.sessionId) });
  return useMutation({
    mutationFn: (body: DecideRequest) =>
      api("POST /api/sessions/:sessionId/messages/:messageId/approvals/:approvalId", {
        params,
        body,
      }),
    onSuccess: reread,
    onError: (error) => (error instanceof ApiError && error.status === 409 ? reread() : undefined),
  });
}
