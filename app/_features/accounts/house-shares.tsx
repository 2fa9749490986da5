"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { Failure } from "@/app/_api/failure";
import { toastError } from "@/app/_api/toast-error";
import { audiences } from "@/app/_data/shares/use-shares";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { RelativeTime } from "@/app/_ui/relative-time";
import { SettingsCard, SettingsGroup, SettingsLine } from "@/app/_ui/settings-section";

const sharesKey = ["people", "shares"] as const;

export function HouseShares() {
  const client = useQueryClient();
  const found = useQuery({
    queryKey: sharesKey,
    queryFn: ({ signal }) => api("GET /api/people/shares", { signal }),
    staleTime: 0,
  });
  const takingDown = useMutation({
    mutationFn: (shareId: string) =>
      api("DELETE /api/people/shares/:shareId", { params: { shareId } }),
    onSuccess: (shares) => client.setQueryData(sharesKey, shares),
    onError: toastError,
  });
  if (found.isError) return <Failure of={found} />;
  const shares = found.data?.shares ?? [];
  if (shares.length === 0) return null;
  return (
    <SettingsGroup
      title="Shared links"
      note="Links to pages of chats. You can open one that was reported, if it has no password and is not for named people."
    >
      <SettingsCard>
        {shares.map(({ id, who, reports, link, isTakenDown, ...share }) => (
          <SettingsLine
            key={id}
            title={
              <>
                {who}
                {reports > 0 && <Badge>{countOf(reports, "report")}</Badge>}
              </>
            }
            note={
              <>
                {audiences[share.audience]}
                {share.hasPassword && " · password"}
                {` · ${countOf(share.views, "view")} · `}
                <RelativeTime at={share.createdAt} />
                {isTakenDown && " · taken down"}
              </>
            }
          >
            {link !== null && (
              <Button asChild size="sm">
                <a href={link} target="_blank" rel="noreferrer">
                  Open
                </a>
              </Button>
            )}
            {!isTakenDown && (
              <Button
                size="sm"
                aria-label={`Take down the link of ${who}`}
                busy={takingDown.isPending && takingDown.variables === id}
                onClick={() => takingDown.mutate(id)}
              >
                Take down
              </Button>
            )}
          </SettingsLine>
        ))}
      </SettingsCard>
    </SettingsGroup>
  );
}
