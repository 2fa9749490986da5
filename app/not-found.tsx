import { TreeDeciduous } from "lucide-react";
import { MissingPage } from "@/app/_shell/missing-page";

export default function NotFound() {
  return (
    <MissingPage title="Page not found" icon={<TreeDeciduous aria-hidden />}>
      The chat may have been deleted, or the link is incomplete.
    </MissingPage>
  );
}
