"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useAbout, useChangeSettings } from "@/app/_data/settings/use-settings";
import { inSpace } from "@/app/_ui/page-space";
import { toastNews } from "@/app/_ui/toast";

export function ReleaseNotice() {
  const { data } = useAbout();
  const { mutate } = useChangeSettings();
  const router = useRouter();
  const news = data?.isNew ? data.version : null;
  useEffect(() => {
    if (news === null) return;
    return toastNews(`Grove was updated to ${news}`, {
      label: "What's new",
      onOpen: () => router.push(inSpace("/settings?section=about")),
      onSeen: () => mutate({ seenVersion: news }),
    });
  }, [news, mutate, router]);
  return null;
}
