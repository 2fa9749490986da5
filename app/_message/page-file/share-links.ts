/** Lead to the page's own address, so they are no part of a file of it. */
export const shareLinks = `<p class="file"><a href="?copy">Continue as mine</a> · <a href="?save=page">Save</a> · <a href="?save=copy">JSON</a></p>`;
