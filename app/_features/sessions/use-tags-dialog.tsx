import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { KnownTag } from "@/app/_data/sessions/use-sessions";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { focusSessionLink } from "./session-row";
import type { SessionActions } from "./use-session-actions";

const TagsDialog = dynamic(() => import("./tags-dialog").then((part) => part.TagsDialog));

/** The first chat of the list has the focus again afterwards. */
export function useTagsDialog(
  knownTags: readonly KnownTag[],
  actions: Pick<SessionActions, "setTags">,
): { editTags: (sessions: readonly SessionWire[]) => void; tagsDialog: ReactNode } {
  const [tagged, setTagged] = useState<readonly SessionWire[]>([]);
  const tagsDialog = tagged.length > 0 && (
    <TagsDialog
      key={tagged.map(({ id }) => id).join(" ")}
      sessions={tagged}
      known={knownTags.map(({ tag }) => tag)}
      onChange={(tagsOf) => void actions.setTags(tagged, tagsOf)}
      onClose={() => {
        setTagged([]);
        focusSessionLink(tagged[0]?.id ?? "");
      }}
    />
  );
  return { editTags: setTagged, tagsDialog };
}
