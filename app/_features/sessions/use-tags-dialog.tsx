import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { KnownTag } from "@/app/_data/sessions/use-sessions";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { focusSessionLink } from "./session-row";
import type { SessionActions } from "./use-session-actions";

const TagsDialog = dynamic(() => import("./tags-dialog").then((part) => part.TagsDialog));

/** The dialog for the tags of a chat in a list, which has the focus again afterwards. */
export function useTagsDialog(
  knownTags: readonly KnownTag[],
  actions: Pick<SessionActions, "setTags">,
): { editTags: (session: SessionWire) => void; tagsDialog: ReactNode } {
  const [tagged, setTagged] = useState<SessionWire | null>(null);
  const tagsDialog = tagged && (
    <TagsDialog
      key={tagged.id}
      session={tagged}
      known={knownTags.map(({ tag }) => tag)}
      onChange={(tags) => actions.setTags(tagged, tags)}
      onClose={() => {
        setTagged(null);
        focusSessionLink(tagged.id);
      }}
    />
  );
  return { editTags: setTagged, tagsDialog };
}
