import "server-only";
import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { PersonId, SpaceId } from "@/lib/chat/core/person-in-space";
import type {
  addMemberRequest,
  MemberRole,
  MembersWire,
  NewInvitationWire,
} from "@/lib/chat/wire/members";
import type { ProjectWire } from "@/lib/chat/wire/projects";
import { toWire } from "@/lib/chat/wire/wire";
import {
  addInvitation,
  changeMember as changeStored,
  deleteInvitation,
  invitationsOf,
  joinSpace,
  membersOf,
  openInvitation,
  personByEmail,
} from "@/lib/storage/spaces/members";
import { membershipKey } from "@/lib/storage/spaces/postgres-projects";
import { spaceNotFound } from "./access";
import { accountsOf, limitOwnAttempts } from "./account-requests";
import { HttpError } from "./http-error";
import { stopAnswersIn } from "./own-account";
import type { Identity } from "./owner-of";
import {
  assertOwns,
  notifyMembers,
  notifyPerson,
  type ProjectContext,
  projectFor,
  projectOf,
  whoIn,
} from "./projects";
import { originOf } from "./route";
import type { Services } from "./services";
import { tokenHash } from "./shares";

type MembersContext = ProjectContext & { readonly request: Request };

/** Owners see links and addresses, too. */
export async function listMembers(context: ProjectContext): Promise<MembersWire> {
  const { services, identity } = context;
  accountsOf(services);
  const { role, id } = await projectFor(context, "live");
  const isOwner = role === "owner";
  const [members, invitations] = await Promise.all([
    membersOf(services.sql, id),
    isOwner ? invitationsOf(services.sql, id) : [],
  ]);
  return toWire({
    members: members.map(({ personId, userId, email, ...member }) => ({
      ...{ id: userId, name: member.name, role: member.role, since: member.since },
      email: isOwner ? email : null,
      isYou: personId === identity.personId,
    })),
    invitations: invitations.map(invitationWire),
  });
}

export async function addMember(
  context: MembersContext,
  { email, role }: z.output<typeof addMemberRequest>,
): Promise<MembersWire> {
  const { services } = context;
  const { id: spaceId } = await ownedProject(context);
  assertOffered(role);
  // The answer tells which addresses have an account.
  limitOwnAttempts(context.identity.person?.sessionId ?? "");
  const personId = await personByEmail(services.sql, email.toLowerCase());
  if (!personId || (await services.rightsOf(personId)).isRemoved)
    throw new HttpError(
      404,
      "person-not-found",
      "Nobody here has this address. Make a link, which works for people without an account, too.",
      "email",
    );
  await join(services, { personId, spaceId }, { role });
  await notifyMembers(context);
  return listMembers(context);
}

export async function changeMember(
  context: ProjectContext,
  userId: string,
  role: MemberRole,
): Promise<MembersWire> {
  await ownedProject(context);
  if (role !== "owner") assertOffered(role);
  const personId = await applyChange(context, userId, role);
  // An answer may use tools that only people who write have; who hands a project over reads from then on.
  await endAnswers(context, role === "owner" ? context.identity.personId : personId);
  await notifyMembers(context);
  return listMembers(context);
}

/** Owners remove others; anybody leaves. */
export async function removeMember(context: ProjectContext, userId: string): Promise<void> {
  const { services } = context;
  accountsOf(services);
  await projectFor(context, "live");
  const personId = await applyChange(context, userId, null);
  await endAnswers(context, personId);
  // Each process ends their streams at this event.
  notifyPerson(services, personId);
  services.members.end([membershipKey({ ...whoIn(context), personId })]);
  await notifyMembers(context);
}

async function applyChange(
  context: ProjectContext,
  userId: string,
  role: MemberRole | null,
): Promise<PersonId> {
  const { services, identity } = context;
  const { spaceId } = whoIn(context);
  const members = await membersOf(services.sql, spaceId);
  const personId = members.find((member) => member.userId === userId)?.personId;
  if (!personId) throw memberNotFound();
  const who = { by: identity.personId, personId, spaceId };
  switch (await changeStored(services.sql, who, role)) {
    case "changed":
      return personId;
    case "missing":
      throw memberNotFound();
    case "refused":
      return assertOwnsNot();
    case "last-owner":
      throw new HttpError(
        409,
        "last-owner",
        "A project has an owner. Make another member the owner first, or delete the project.",
      );
  }
}

async function endAnswers(context: ProjectContext, personId: PersonId): Promise<void> {
  const { spaceId } = whoIn(context);
  await stopAnswersIn(context.services.acting({ personId, spaceId }), personId);
}

export async function invite(
  context: MembersContext,
  role: "writer" | "reader",
  invitationId: string,
): Promise<NewInvitationWire> {
  const { services, identity, request } = context;
  const { id: spaceId } = await ownedProject(context);
  assertOffered(role);
  const token = randomBytes(16).toString("base64url");
  const made = { invitationId, spaceId, role, madeBy: identity.personId };
  if (!(await addInvitation(services.sql, { ...made, tokenHash: tokenHash(token) })))
    throw new HttpError(
      409,
      "too-many-invitations",
      "No link was made: this project has as many as Grove keeps. Stop one first.",
    );
  const [invitation] = (await invitationsOf(services.sql, spaceId)).filter(
    (each) => each.invitationId === invitationId,
  );
  if (!invitation) throw invitationGone();
  return {
    link: `${originOf(request)}/join/${token}`,
    invitation: toWire(invitationWire(invitation)),
  };
}

export async function stopInvitation(
  context: ProjectContext,
  invitationId: string,
): Promise<MembersWire> {
  const { id } = await ownedProject(context);
  await deleteInvitation(context.services.sql, id, invitationId);
  return listMembers(context);
}

/** `null` for a link that leads nowhere. */
export async function invitationOf(services: Services, { person }: Identity, token: string) {
  accountsOf(services);
  limitOwnAttempts(person?.sessionId ?? "");
  return openInvitation(services.sql, tokenHash(token));
}

export async function joinProject(
  { services, identity }: Pick<ProjectContext, "services" | "identity">,
  token: string,
): Promise<ProjectWire> {
  const found = await invitationOf(services, identity, token);
  if (!found) throw invitationGone();
  const { spaceId, role, invitationId } = found;
  await join(services, { personId: identity.personId, spaceId }, { role, invitationId });
  const context = { services, identity, params: { spaceId } };
  await notifyMembers(context);
  return projectOf(context);
}

async function join(
  { sql }: Services,
  who: { readonly personId: PersonId; readonly spaceId: SpaceId },
  given: Parameters<typeof joinSpace>[2],
): Promise<void> {
  const result = await joinSpace(sql, who, given);
  if (result === "gone") throw given.invitationId ? invitationGone() : spaceNotFound();
  if (result === "full")
    throw new HttpError(
      409,
      "too-many-members",
      "This project has as many members, or the person as many projects, as Grove keeps.",
    );
}

async function ownedProject(context: ProjectContext) {
  accountsOf(context.services);
  const project = await projectFor(context, "live");
  assertOwns(project.role);
  return project;
}

function assertOffered(role: MemberRole): asserts role is "reader" {
  if (role === "reader") return;
  throw new HttpError(
    400,
    "role-not-offered",
    "Only one person can write in a project yet, its owner. Give “can read”, or hand the project over.",
    "role",
  );
}

function invitationWire({ invitationId: id, role, createdAt, endsAt }: StoredInvitation) {
  return { id, role, createdAt, endsAt };
}

type StoredInvitation = Awaited<ReturnType<typeof invitationsOf>>[number];

function assertOwnsNot(): never {
  throw new HttpError(403, "not-allowed", "Only owners of this project can do this.");
}

function memberNotFound(): HttpError {
  return new HttpError(404, "member-not-found", "This person is no member of the project.");
}

function invitationGone(): HttpError {
  return new HttpError(
    410,
    "invitation-gone",
    "This link leads nowhere: it was stopped, has ended or never was. Ask for another.",
  );
}
