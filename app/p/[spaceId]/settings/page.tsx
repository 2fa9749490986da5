import { assertInProject } from "@/app/page-owner";
import SettingsPage, { metadata } from "@/app/settings/page";

export { metadata };

interface ProjectSettingsProps extends Pick<Parameters<typeof SettingsPage>[0], "searchParams"> {
  params: Promise<{ spaceId: string }>;
}

export default async function ProjectSettingsPage({ params, ...props }: ProjectSettingsProps) {
  await assertInProject((await params).spaceId);
  return <SettingsPage {...props} />;
}
