import { Sprout } from "lucide-react";
import { MissingPage } from "@/app/_shell/missing-page";

export default function SessionNotFound() {
  return (
    <MissingPage title="Chat not found" icon={<Sprout aria-hidden />}>
      It may have been deleted, or the link is incomplete.
    </MissingPage>
  );
}
