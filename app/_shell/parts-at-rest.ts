export { ConsentDialog } from "@/app/_features/chat/composer/dictation-consent";
export { Palette } from "@/app/_features/search/palette";
export { ReleaseNotice } from "@/app/_features/settings/release-notice";
export { MenuPanel } from "@/app/_ui/menu-parts";
