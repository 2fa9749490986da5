import { z } from "zod";

/** Parsed, so that the server can say why nobody can be given “can edit” yet. */
const memberRole = z.enum(["owner", "writer", "reader"], "must be owner, writer or reader");
export type MemberRole = z.output<typeof memberRole>;

export const addMemberRequest = z.object({
  email: z.string().trim().min(1, "must not be empty").max(320, "must be at most 320 characters"),
  role: memberRole.exclude(["owner"]),
});

export const changeMemberRequest = z.object({ role: memberRole });

export const inviteMemberRequest = z.object({ role: memberRole.exclude(["owner"]) });

export const joinProjectRequest = z.object({ token: z.string().min(1).max(100) });

export interface MemberWire {
  /** The id of the account. */
  id: string;
  name: string;
  /** `null`: shown to owners alone. */
  email: string | null;
  role: MemberRole;
  since: string;
  isYou: boolean;
}

export interface InvitationWire {
  id: string;
  role: MemberRole;
  createdAt: string;
  endsAt: string;
}

export interface MembersWire {
  members: MemberWire[];
  /** Empty for others than owners. */
  invitations: InvitationWire[];
}

export interface NewInvitationWire {
  link: string;
  invitation: InvitationWire;
}
