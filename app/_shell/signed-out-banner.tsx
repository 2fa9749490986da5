"use client";

import { LogOut } from "lucide-react";
import { useEffect } from "react";
import { pagePerson, signInPath } from "@/app/_api/page-person";
import { useOutbox } from "@/app/_data/chat/outbox-delivery";
import { useStore } from "@/app/_ui/store";

/**
 * Leads a page whose person was signed out to the sign-in page: at once if nothing would be lost, otherwise by a link
 * that leaves the page as it is. It goes on once they have signed in.
 */
export function SignedOutBanner() {
  const person = useStore(pagePerson);
  const unsent = useOutbox().length;
  const isAway = person === "signed-out" || person === "other-account";
  useEffect(() => {
    if (person === "signed-out" && unsent === 0 && !holdsText(document))
      location.assign(signInPath(location));
  }, [person, unsent]);
  return (
    <div role="status">
      {isAway && (
        <p className="flex animate-appear items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-warn text-xs">
          <LogOut aria-hidden className="size-3.5 shrink-0" />
          {person === "signed-out" ? (
            <span>
              You are signed out. What you typed stays here while you{" "}
              <a href={signInPath(location)} target="_blank" rel="noopener" className="underline">
                sign in in a new tab
              </a>
              .
            </span>
          ) : (
            "Somebody else is signed in at this browser now. Reload the page. Your drafts are safe."
          )}
        </p>
      )}
    </div>
  );
}

const textFields =
  "textarea, input:not([type]), input[type=text], input[type=search], input[type=url]";

function holdsText(page: Document): boolean {
  const fields = page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(textFields);
  return [...fields].some(({ value, readOnly }) => !readOnly && value.trim() !== "");
}
