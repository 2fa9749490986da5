"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";
import type { MemberRole } from "@/lib/chat/wire/members";

export function useMembers(spaceId: string) {
  return useQuery({
    queryKey: queryKeys.members(spaceId),
    queryFn: ({ signal }) =>
      api("GET /api/projects/:spaceId/members", { params: { spaceId }, signal }),
    staleTime: 0,
  });
}

function useMembersWrite<Input, Result>(write: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.projects }),
  });
}

export function useAddMember(spaceId: string) {
  return useMembersWrite((body: { email: string; role: "reader" }) =>
    api("POST /api/projects/:spaceId/members", { params: { spaceId }, body }),
  );
}

export function useChangeMember(spaceId: string) {
  return useMembersWrite(({ userId, role }: { userId: string; role: MemberRole }) =>
    api("PATCH /api/projects/:spaceId/members/:userId", {
      params: { spaceId, userId },
      body: { role },
    }),
  );
}

export function useRemoveMember(spaceId: string) {
  return useMembersWrite((userId: string) =>
    api("DELETE /api/projects/:spaceId/members/:userId", { params: { spaceId, userId } }),
  );
}

export function useInvite(spaceId: string) {
  return useMembersWrite((role: "reader") =>
    api("POST /api/projects/:spaceId/invitations", { params: { spaceId }, body: { role } }),
  );
}

export function useStopInvitation(spaceId: string) {
  return useMembersWrite((invitationId: string) =>
    api("DELETE /api/projects/:spaceId/invitations/:invitationId", {
      params: { spaceId, invitationId },
    }),
  );
}
