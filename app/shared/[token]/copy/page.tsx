import type { Metadata } from "next";
import { headers } from "next/headers";
import { ContinueShared } from "@/app/_features/sessions/continue-shared";
import { services } from "@/lib/server/services";
import { openLink } from "@/lib/server/shared-links";

export const metadata: Metadata = { title: "Continue as mine" };

interface CopyPageProps {
  params: Promise<{ token: string }>;
}

export default async function CopyPage({ params }: CopyPageProps) {
  const { token } = await params;
  const asked = { services: services(), headers: await headers(), token, password: null };
  const link = await openLink(asked);
  if (link.kind === "open") return <ContinueShared token={token} title={link.share.title} />;
  return <ContinueShared token={token} title={null} isLocked={link.kind === "asks"} />;
}
