// Whether the feature whose popup is open, its files and its related records are still what is shown: another page, or a
// synchronization, may have changed them.

import { post } from "./api.js";
import { current } from "./events.js";
import { t } from "./texts.js";

/// Compares the feature of popups with what it is now, if features have been read again since. It is shown as it is now;
/// where a person is busy with the popup, or another page has selected others meanwhile, that is only said.
///
/// - popup: isShown() whether it still is, isInUse() whether the focus is in it, take(popups), mark(text, show),
///   and show(feature), which a person asks for.
export async function checkFeature(shown, popup) {
  const map = current("map");
  if (!shown?.selection || map?.opening !== shown.opening) return;
  if (map.featureReads <= shown.featureReads) return;
  shown.featureReads = map.featureReads;
  const { layerId, objectId } = shown.selection;
  const feature = { layer: layerId, objectID: objectId, opening: shown.opening };
  try {
    const { seenPopup } = await post("map/feature", feature);
    if (!popup.isShown() || seenPopup === shown.seenPopup) return;
    if (seenPopup === null) {
      popup.mark(t("popup.deletedElsewhere"));
      return;
    }
    const latest = popup.isInUse() ? null
      : await post("map/popup", { ...pageOf(shown.selection), question: shown.question }).catch(() => null);
    if (!popup.isShown()) return;
    if (isSame(latest?.selection, shown.selection)) popup.take(latest);
    else popup.mark(t("popup.changedElsewhere"), () => popup.show(feature));
  } catch {
    // It stays as it is; what is done with it is refused if it was changed.
  }
}

/// The feature of a popup, for the server: its number alone may by now be that of another one, once features before it
/// were deleted.
export function pageOf({ number, layerId, objectId }) {
  return { index: number - 1, layer: layerId, objectID: objectId };
}

function isSame(selection, other) {
  return selection?.layerId === other.layerId && selection?.objectId === other.objectId;
}
