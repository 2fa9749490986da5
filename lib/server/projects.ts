import "server-only";
import type { z } from "zod";
import {
  asPerson,
  asSpace,
  inOwnSpace,
  type PersonId,
  type PersonInSpace,
} from "@/lib/chat/core/person-in-space";
import type {
  changeProjectRequest,
  makeProjectRequest,
  ProjectsWire,
  ProjectWire,
} from "@/lib/chat/wire/projects";
import { membersOf } from "@/lib/storage/spaces/members";
import { isClaimed, type MemberProject } from "@/lib/storage/spaces/postgres-projects";
import { spaceNotFound } from "./access";
import { clearingRefusal } from "./clearing-refusal";
import { HttpError } from "./http-error";
import { logFailure } from "./log";
import { deleteProjectForGood, stopAnswersIn } from "./own-account";
import type { Identity } from "./owner-of";
import type { Services } from "./services";

export interface ProjectContext {
  readonly services: Services;
  readonly identity: Identity;
  readonly params: { readonly spaceId: string };
}

export async function listProjects(
  services: Services,
  { personId }: Identity,
  { deleted = false }: { deleted?: boolean | undefined },
): Promise<ProjectsWire> {
  const listed = await services.projects.list(personId, { deleted });
  const shown = listed.filter(
    (each) => !isClaimed(each) && (!each.deletedAt || each.role === "owner"),
  );
  const projects = shown.map((each) => projectWire(services, each));
  return { projects, hasAccounts: services.accounts !== null };
}

export async function makeProject(
  services: Services,
  { personId }: Identity,
  { id, name }: z.output<typeof makeProjectRequest>,
): Promise<ProjectWire> {
  const who = { personId, spaceId: asSpace(id) };
  const isMade = await services.projects.make(who, name);
  const project = await services.projects.get(who);
  if (isMade) notifyPerson(services, personId);
  if (project && (isMade || !project.deletedAt)) return projectWire(services, project);
  throw new HttpError(
    409,
    "project-not-made",
    "No project was made: this id is taken, or you have as many projects as Grove keeps. Make it under another id.",
  );
}

export async function projectOf(context: ProjectContext): Promise<ProjectWire> {
  return projectWire(context.services, await projectFor(context, "live"));
}

export async function changeProject(
  context: ProjectContext,
  change: z.output<typeof changeProjectRequest>,
): Promise<ProjectWire> {
  const { services } = context;
  const { role } = await projectFor(context, "live");
  const { personalMemory: _, ...ofAll } = change;
  if (Object.keys(ofAll).length > 0) assertOwns(role);
  const who = whoIn(context);
  if (change.defaultModel) await services.models.choose(services.acting(who), change.defaultModel);
  await services.projects.change(who, change);
  await notifyMembers(context);
  return projectOf(context);
}

export async function deleteProject(context: ProjectContext): Promise<ProjectWire> {
  assertOwns((await projectFor(context)).role);
  const { services } = context;
  const who = whoIn(context);
  await services.projects.delete(who.spaceId);
  await stopAnswersIn(services.acting(who));
  await notifyMembers(context);
  return projectWire(services, await projectFor(context));
}

export async function restoreProject(context: ProjectContext): Promise<ProjectWire> {
  assertOwns((await projectFor(context)).role);
  if (!(await context.services.projects.restore(whoIn(context).spaceId))) throw spaceNotFound();
  await notifyMembers(context);
  return projectOf(context);
}

export async function deleteOldProjects(shared: Services): Promise<void> {
  for (const spaceId of await shared.projects.deletedBefore(shared.deletedKeptMs)) {
    try {
      await deleteProjectForGood(shared, spaceId, shared.deletedKeptMs);
    } catch (error) {
      // Another process deletes it.
      if (!clearingRefusal(error)) logFailure("Deleting a project for good", error);
    }
  }
}

/** A program's request waits for minutes before its answer begins. */
const deletedLatelyMs = 15 * 60_000;

export async function stopInDeletedProjects({ projects, acting }: Services): Promise<void> {
  for (const spaceId of await projects.deletedWithin(deletedLatelyMs))
    await stopAnswersIn(acting({ personId: asPerson(spaceId), spaceId }));
}

export function whoIn({ identity, params }: ProjectContext): PersonInSpace {
  return { personId: identity.personId, spaceId: asSpace(params.spaceId) };
}

export async function projectFor(context: ProjectContext, state: "any" | "live" = "any") {
  const project = await context.services.projects.get(whoIn(context));
  if (!project || (state === "live" && project.deletedAt)) throw spaceNotFound();
  return project;
}

export function assertOwns(role: MemberProject["role"]): void {
  if (role !== "owner")
    throw new HttpError(403, "not-allowed", "Only owners of this project can do this.");
}

/** People without an account have no row there: the asker is notified in any case. */
export async function notifyMembers(context: ProjectContext): Promise<void> {
  const { services, identity } = context;
  const members = await membersOf(services.sql, whoIn(context).spaceId);
  const people = new Set([identity.personId, ...members.map(({ personId }) => personId)]);
  for (const personId of people) notifyPerson(services, personId);
}

export function notifyPerson({ acting }: Pick<Services, "acting">, personId: PersonId): void {
  const { events } = acting(inOwnSpace(personId)).store;
  events.emit({ type: "settings", sessionId: null });
}

function projectWire(
  { deletedKeptMs }: Services,
  { id, name, icon, role, createdAt, deletedAt, ...project }: MemberProject,
): ProjectWire {
  const { others, isOnlyOwner, defaultModel, defaultAssistant, personalMemory } = project;
  const goneAt = deletedAt && new Date(deletedAt.getTime() + deletedKeptMs);
  return {
    ...{ id, name, icon, role, others, isOnlyOwner, createdAt: createdAt.toISOString() },
    ...{ defaultModel, defaultAssistant, personalMemory },
    ...(deletedAt && { deletedAt: deletedAt.toISOString() }),
    ...(goneAt && { goneAt: goneAt.toISOString() }),
  };
}
