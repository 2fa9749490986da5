"use client";

import { useState } from "react";
import { useAccount } from "@/app/_data/accounts/use-account";
import { Button } from "@/app/_ui/button";
import { dateWords, dayOf } from "@/app/_ui/reader-day";
import { AccountDownloads } from "./account-downloads";
import { DeleteAccountDialog } from "./delete-account-dialog";
import { Door } from "./door";
import { SignOutButton } from "./sign-out-button";

export function RemovedAccount({ deletesAt }: { deletesAt: string }) {
  const email = useAccount().data?.email;
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Door
      title="Your account was removed"
      note={
        <>
          An administrator of this Grove removed it. Nobody but you can read what you wrote here.
          You can download it until{" "}
          <time dateTime={deletesAt} suppressHydrationWarning>
            {dateWords(dayOf(new Date(deletesAt)))}
          </time>
          , then it is deleted for good.
        </>
      }
    >
      <AccountDownloads label="Download everything" variant="primary" size="lg" />
      <div className="flex gap-2">
        <SignOutButton />
        <Button size="sm" disabled={!email} onClick={() => setIsDeleting(true)}>
          Delete now…
        </Button>
      </div>
      {isDeleting && email && (
        <DeleteAccountDialog email={email} onClose={() => setIsDeleting(false)} />
      )}
    </Door>
  );
}
