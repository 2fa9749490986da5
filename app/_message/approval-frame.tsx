"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
import { RelativeTime, useNow } from "@/app/_ui/relative-time";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { DecideRequest } from "@/lib/chat/wire/messages";

export type ApprovalView = "shown" | "changed" | "denied";

const dayMs = 86_400_000;

export interface ApprovalFrameProps {
  readonly to: string;
  readonly askedAt: string | null;
  readonly error: Error | null;
  readonly children: ReactNode;
}

export function ApprovalFrame({ to, askedAt, error, children }: ApprovalFrameProps) {
  return (
    <section
      aria-label={`Permission to ${to}`}
      className="my-3 flex flex-col gap-3 rounded-lg border border-accent/40 bg-raised p-3.5"
    >
      <header>
        <p className="wrap-anywhere font-medium text-sm">May the model {to}?</p>
        {askedAt !== null && <AskedAt at={askedAt} />}
      </header>
      {children}
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

export interface ApprovalChoicesProps {
  readonly isBusy: boolean;
  readonly approve?: string;
  readonly onApprove: () => void;
  /** `null` where each call is asked about. */
  readonly onApproveForChat: (() => void) | null;
  readonly onEdit: () => void;
  readonly onDeny: () => void;
}

export function ApprovalChoices(props: ApprovalChoicesProps) {
  const { isBusy, approve = "Approve", onApprove, onApproveForChat, onEdit, onDeny } = props;
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" variant="primary" busy={isBusy} onClick={onApprove}>
        {approve}
      </Button>
      {onApproveForChat && (
        <Button size="sm" disabled={isBusy} onClick={onApproveForChat}>
          Approve for this chat
        </Button>
      )}
      <Button size="sm" disabled={isBusy} onClick={onEdit}>
        Edit
      </Button>
      <Button size="sm" variant="ghost" disabled={isBusy} onClick={onDeny}>
        Deny
      </Button>
    </div>
  );
}

export interface DenialFormProps {
  readonly stateKey: string;
  readonly isBusy: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onCancel: () => void;
}

export function DenialForm({ stateKey, isBusy, onDeny, onCancel }: DenialFormProps) {
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

/** Another tab may have decided first. */
export function useDecision(
  params: { sessionId: string; messageId: string; approvalId: string },
  { alsoReread }: { alsoReread?: () => Promise<unknown> } = {},
) {
  const client = useQueryClient();
  const reread = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.transcripts(params.sessionId) }),
      alsoReread?.(),
    ]);
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
