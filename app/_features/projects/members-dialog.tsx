"use client";

import { useState } from "react";
import { Failure } from "@/app/_api/failure";
import { toastError } from "@/app/_api/toast-error";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import {
  useAddMember,
  useChangeMember,
  useInvite,
  useMembers,
  useRemoveMember,
  useStopInvitation,
} from "@/app/_data/projects/use-members";
import { Button } from "@/app/_ui/button";
import { Dialog } from "@/app/_ui/dialog";
import { InputField } from "@/app/_ui/fields";
import { isolated } from "@/app/_ui/isolated";
import { ListSkeleton } from "@/app/_ui/loading";
import { CopyButton } from "@/app/_ui/markdown/copy-button";
import { dayWords } from "@/app/_ui/reader-day";
import { Section } from "@/app/_ui/section";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import type { InvitationWire, MembersWire, MemberWire } from "@/lib/chat/wire/members";
import type { ProjectWire } from "@/lib/chat/wire/projects";

interface MembersDialogProps {
  readonly project: ProjectWire;
  readonly onClose: () => void;
}

export function MembersDialog({ project, onClose }: MembersDialogProps) {
  const members = useMembers(project.id);
  const [isAdding, setIsAdding] = useState(false);
  if (isAdding) return <AddDialog project={project} onClose={() => setIsAdding(false)} />;
  return (
    <Dialog
      title="People"
      width="md"
      onClose={onClose}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <Failure of={members} />
      {members.isPending && <ListSkeleton label="Loading people" rows={3} />}
      {members.data && (
        <MembersView project={project} {...members.data} onAdd={() => setIsAdding(true)} />
      )}
    </Dialog>
  );
}

interface MembersViewProps extends MembersWire {
  readonly project: ProjectWire;
  readonly onAdd: () => void;
}

export function MembersView({ project, members, invitations, onAdd }: MembersViewProps) {
  const isOwner = project.role === "owner";
  return (
    <div className="flex flex-col gap-6">
      <ul aria-label="Members" className="divide-y divide-line">
        {members.map((member) => (
          <MemberLine key={member.id} project={project} member={member} />
        ))}
      </ul>
      {isOwner && <Invitations project={project} invitations={invitations} onAdd={onAdd} />}
    </div>
  );
}

const roleWords = { owner: "Owner", writer: "Can edit", reader: "Can read" } as const;

function MemberLine({ project, member }: { project: ProjectWire; member: MemberWire }) {
  const { id: userId, name, email, role, isYou } = member;
  const changing = useChangeMember(project.id);
  const removing = useRemoveMember(project.id);
  const [isAsking, setIsAsking] = useState(false);
  const isOwner = project.role === "owner";
  const isBusy = changing.isPending || removing.isPending;
  const canLeave = isYou ? !project.isOnlyOwner : isOwner;
  const remove = () =>
    removing.mutate(userId, {
      onSuccess: () => isYou && leaveDocument("/"),
      onError: toastError,
    });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-40 flex-1 text-sm [overflow-wrap:anywhere]">
        <p>
          <bdi className="font-medium">{name}</bdi>
          {isYou && <span className="text-muted"> (you)</span>}
        </p>
        <p className="text-muted text-xs">
          {roleWords[role]}
          {email !== null && ` · ${isolated(email)}`}
        </p>
      </div>
      {isOwner && !isYou && role !== "owner" && (
        <Button size="sm" disabled={isBusy} onClick={() => setIsAsking(true)}>
          Hand over
        </Button>
      )}
      {canLeave && (
        <Button
          size="sm"
          variant="ghost"
          disabled={isBusy}
          aria-label={isYou ? "Leave project" : `Remove ${name}`}
          onClick={remove}
        >
          {isYou ? "Leave" : "Remove"}
        </Button>
      )}
      {isAsking && (
        <p role="alert" className="flex w-full flex-wrap items-center gap-2 text-sm">
          <span className="min-w-40 flex-1">
            {isolated(name)} then owns this project, with all that is in it, and you can read it.
          </span>
          <Button
            size="sm"
            variant="primary"
            busy={changing.isPending}
            onClick={() =>
              changing.mutate(
                { userId, role: "owner" },
                { onError: toastError, onSuccess: () => leaveDocument(location.href) },
              )
            }
          >
            Hand over
          </Button>
          <Button size="sm" onClick={() => setIsAsking(false)}>
            Cancel
          </Button>
        </p>
      )}
    </li>
  );
}

interface InvitationsProps extends Pick<MembersViewProps, "project" | "onAdd"> {
  readonly invitations: readonly InvitationWire[];
}

function Invitations({ project, invitations, onAdd }: InvitationsProps) {
  const inviting = useInvite(project.id);
  const stopping = useStopInvitation(project.id);
  return (
    <Section
      title="Invite"
      note="Invited people read all chats, files and memory of this project, also older ones, and change nothing. Answers may repeat what they read of your own memory."
    >
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="primary"
          busy={inviting.isPending}
          onClick={() => inviting.mutate("reader")}
        >
          Make a link
        </Button>
        <Button size="sm" onClick={onAdd}>
          Add by e-mail
        </Button>
      </div>
      <Failure of={inviting} />
      {inviting.data && (
        <div className="flex flex-col gap-1.5 rounded-lg border border-line bg-raised p-3.5">
          <p className="text-muted text-xs">
            Several people can use it, also some without an account yet. Copy it now, it won't be
            shown again.
          </p>
          <div className="flex items-center gap-2">
            <code className="select-all break-all font-mono text-xs">{inviting.data.link}</code>
            <CopyButton text={inviting.data.link} label="Copy link" size="sm" />
          </div>
        </div>
      )}
      {invitations.length > 0 && (
        <ul aria-label="Links" className="divide-y divide-line">
          {invitations.map(({ id, role, endsAt }) => (
            <li key={id} className="flex items-center gap-3 py-2 text-sm">
              <span className="min-w-0 flex-1">
                Link · {roleWords[role].toLowerCase()} · until {dayOfEnd(endsAt)}
              </span>
              <Button
                size="sm"
                variant="ghost"
                busy={stopping.isPending && stopping.variables === id}
                onClick={() => stopping.mutate(id, { onError: toastError })}
              >
                Stop
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function dayOfEnd(endsAt: string): string {
  return dayWords(endsAt.slice(0, 10), "");
}

function AddDialog({ project, onClose }: MembersDialogProps) {
  const adding = useAddMember(project.id);
  const form = useForm({
    initial: { email: "" },
    schema: { email: ({ email }) => (email.trim() === "" ? "Enter an address." : null) },
    save: ({ email }) => adding.mutateAsync({ email, role: "reader" }),
    onSaved: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Add somebody"
      description="They read everything in this project from then on, and are not asked."
      saveLabel="Add"
      onClose={onClose}
    >
      <InputField
        label="E-mail"
        type="email"
        autoComplete="off"
        hint="Of an account here."
        autoFocus
        {...form.text("email")}
      />
    </FormDialog>
  );
}
