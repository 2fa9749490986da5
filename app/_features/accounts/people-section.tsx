"use client";

import { useState } from "react";
import { api } from "@/app/_api/api";
import {
  useAccount,
  useAccountEvents,
  usePeople,
  usePeopleChange,
  useSavePeople,
} from "@/app/_data/accounts/use-account";
import { fileSize } from "@/app/_data/files/file-words";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { ConfirmDialog } from "@/app/_ui/dialog";
import { formatCost } from "@/app/_ui/format-amount";
import { EmptyState } from "@/app/_ui/notice";
import { dateWords, dayOf } from "@/app/_ui/reader-day";
import { RelativeTime } from "@/app/_ui/relative-time";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import type { LimitsWire, OpenInviteWire, PersonWire } from "@/lib/chat/wire/accounts";
import { HouseShares } from "./house-shares";
import { InviteDialog, PasswordLinkDialog } from "./invite-dialog";
import { limitWords } from "./limit-words";
import { LimitsDialog } from "./limits-dialog";

export function PeopleSection() {
  const people = usePeople();
  const isOwner = useAccount().data?.role === "owner";
  const [isInviting, setIsInviting] = useState(false);
  if (!people.data) return <SectionPending query={people} />;
  const { data } = people;
  return (
    <SettingsSection
      title="People"
      note="Everyone who may sign in here. Administrators invite and remove people. They cannot read anyone's chats, memory or files. A password link that they make opens its account, and its person sees that."
    >
      <SettingsGroup
        title="Accounts"
        action={
          <Button size="sm" onClick={() => setIsInviting(true)}>
            Invite
          </Button>
        }
      >
        <SettingsCard>
          {data.people.map((person) => (
            <PersonLine key={person.id} person={person} canChangeRoles={isOwner} />
          ))}
        </SettingsCard>
      </SettingsGroup>
      {data.invites.length > 0 && (
        <SettingsGroup title="Open invites">
          <SettingsCard>
            {data.invites.map((invite) => (
              <InviteLine key={invite.id} invite={invite} />
            ))}
          </SettingsCard>
        </SettingsGroup>
      )}
      <HouseShares />
      <Events />
      {isInviting && (
        <InviteDialog canInviteAdmins={isOwner} onClose={() => setIsInviting(false)} />
      )}
    </SettingsSection>
  );
}

function PersonLine({ person, canChangeRoles }: { person: PersonWire; canChangeRoles: boolean }) {
  const { id: personId } = person;
  const [isRemoving, setIsRemoving] = useState(false);
  const [isLimiting, setIsLimiting] = useState(false);
  const [isLinking, setIsLinking] = useState(false);
  const limiting = useSavePeople((limits: LimitsWire | null) =>
    api("PATCH /api/people/:personId", { params: { personId }, body: { limits } }),
  );
  const removing = usePeopleChange(() =>
    api("DELETE /api/people/:personId", { params: { personId } }),
  );
  return (
    <SettingsLine title={<PersonTitle person={person} />} note={<PersonNote person={person} />}>
      <PersonButtons
        person={person}
        canChangeRoles={canChangeRoles}
        onLimit={() => setIsLimiting(true)}
        onLink={() => setIsLinking(true)}
        onRemove={() => setIsRemoving(true)}
      />
      {isLimiting && (
        <LimitsDialog
          name={person.name}
          limits={person.limits}
          save={limiting.mutateAsync}
          onClose={() => setIsLimiting(false)}
        />
      )}
      {isLinking && <PasswordLinkDialog person={person} onClose={() => setIsLinking(false)} />}
      <ConfirmDialog
        open={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={`Remove ${person.name}?`}
        confirmLabel="Remove"
        busy={removing.isPending}
        onConfirm={() => removing.mutate(undefined, { onSuccess: () => setIsRemoving(false) })}
      >
        {person.name} is signed out and can sign in only to download their chats, memory and files.
        After 30 days everything is deleted for good. Until then you can restore the account.
      </ConfirmDialog>
    </SettingsLine>
  );
}

function PersonTitle({ person }: { person: PersonWire }) {
  const { name, role, isYou, deletesAt } = person;
  return (
    <>
      {name}
      {role !== "member" && <Badge tone="accent">{role === "owner" ? "Owner" : "Admin"}</Badge>}
      {isYou && <Badge>You</Badge>}
      {deletesAt !== null && <Badge>Removed</Badge>}
    </>
  );
}

function PersonNote({ person }: { person: PersonWire }) {
  return (
    <>
      {person.email}
      {person.dollars > 0 && <> · {formatCost(person.dollars)} this month</>}
      {person.storedBytes > 0 && <> · {fileSize(person.storedBytes)} of files</>}
      {person.limits && <> · {limitWords(person.limits)}</>}
      {person.deletesAt !== null ? (
        <>
          {" "}
          · deleted on {dateWords(dayOf(new Date(person.deletesAt)))}
          {person.deletionFailedAt !== null && <>, which failed. The server's log says why.</>}
        </>
      ) : (
        person.seenAt !== null && (
          <>
            {" "}
            · seen <RelativeTime at={person.seenAt} />
          </>
        )
      )}
    </>
  );
}

interface PersonButtonsProps {
  person: PersonWire;
  canChangeRoles: boolean;
  onLimit: () => void;
  onLink: () => void;
  onRemove: () => void;
}

function PersonButtons(props: PersonButtonsProps) {
  const { person, canChangeRoles, onLimit, onLink, onRemove } = props;
  const { id: personId, name, role } = person;
  const changing = usePeopleChange((next: "admin" | "member") =>
    api("PATCH /api/people/:personId", { params: { personId }, body: { role: next } }),
  );
  const restoring = usePeopleChange(() =>
    api("PATCH /api/people/:personId", { params: { personId }, body: { isRestored: true } }),
  );
  const isRemoved = person.deletesAt !== null;
  const canChange = !person.isYou && role !== "owner";
  const canManage = canChange && !isRemoved && (canChangeRoles || role === "member");
  return (
    <div className="flex flex-wrap gap-2">
      {canChange && isRemoved && person.deletionFailedAt === null && (
        <Button
          size="sm"
          aria-label={`Restore ${name}`}
          busy={restoring.isPending}
          onClick={() => restoring.mutate(undefined)}
        >
          Restore
        </Button>
      )}
      {canChange && !isRemoved && canChangeRoles && (
        <Button
          size="sm"
          aria-label={`Make ${role === "admin" ? "member" : "admin"}: ${name}`}
          busy={changing.isPending}
          onClick={() => changing.mutate(role === "admin" ? "member" : "admin")}
        >
          {role === "admin" ? "Make member" : "Make admin"}
        </Button>
      )}
      {canChange && !isRemoved && (
        <Button size="sm" aria-label={`Limits for ${name}`} onClick={onLimit}>
          Limits
        </Button>
      )}
      {canManage && (
        <Button size="sm" aria-label={`Password link for ${name}`} onClick={onLink}>
          Password link
        </Button>
      )}
      {canManage && (
        <Button size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </div>
  );
}

function InviteLine({ invite }: { invite: OpenInviteWire }) {
  const withdrawing = usePeopleChange((inviteId: string) =>
    api("DELETE /api/people/invites/:inviteId", { params: { inviteId } }),
  );
  return (
    <SettingsLine
      title={invite.email ?? "Anyone with the link"}
      note={
        <>
          {invite.role === "admin" ? "Admin" : "Member"} · until{" "}
          {dateWords(dayOf(new Date(invite.expiresAt)))}
        </>
      }
    >
      <Button
        size="sm"
        aria-label={`Withdraw the invite for ${invite.email ?? "anyone with the link"}`}
        busy={withdrawing.isPending}
        onClick={() => withdrawing.mutate(invite.id)}
      >
        Withdraw
      </Button>
    </SettingsLine>
  );
}

const eventWords: Readonly<Record<string, string>> = {
  "signed-in": "Signed in",
  "signed-out": "Signed out",
  "password-accepted": "Gave the right password, then a code is needed",
  "sign-in-failed": "Sign-in failed",
  "code-failed": "Wrong code",
  "account-made": "Account created",
  "invite-failed": "Invite could not be used",
  invited: "Invited somebody",
  "share-taken-down": "Took a shared link down",
  "invite-withdrawn": "Withdrew an invite",
  "role-changed": "Changed a role",
  "environment-keys-changed": "Changed who may use the models for everyone",
  "house-changed": "Changed settings for everyone",
  "password-changed": "Changed the password",
  "devices-signed-out": "Signed devices out",
  "signed-out-by-admin": "Signed somebody out",
  "two-factor-on": "Turned two-factor sign-in on",
  "two-factor-off": "Turned two-factor sign-in off",
  "passkey-added": "Added a passkey",
  "confirmation-failed": "Could not confirm who they are",
  "passkey-removed": "Removed a passkey",
  "login-removed": "Disconnected a sign-in",
  "account-deleted": "An account was deleted",
  "account-not-deleted": "An account could not be deleted",
  "password-link-made": "Made a password link",
  "password-set-by-link": "Set a password by a link",
  "limits-changed": "Changed limits",
  removed: "Removed somebody",
  restored: "Restored somebody",
  exported: "Downloaded everything",
  "project-exported": "Downloaded a project",
};

function Events() {
  const events = useAccountEvents().data?.events ?? [];
  return (
    <SettingsGroup title="Log" note="Sign-ins and changes to accounts, newest first.">
      <SettingsCard>
        {events.length === 0 && <EmptyState title="Nothing yet" />}
        {events.map(({ id, kind, who, about, address, at }) => {
          const [name = "", detail] = kind.split(": ");
          return (
            <SettingsLine
              key={id}
              title={`${eventWords[name] ?? name}${detail ? `: ${detail}` : ""}`}
              note={
                <>
                  {[who, about && `about ${about}`, address].filter(Boolean).join(" · ")} ·{" "}
                  <RelativeTime at={at} />
                </>
              }
            />
          );
        })}
      </SettingsCard>
    </SettingsGroup>
  );
}
