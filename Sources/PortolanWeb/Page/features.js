// Identifying, editing and undoing on the open map: what the panels ask for, and what comes back.

import { post } from "./api.js";
import { confirm } from "./dom.js";
import { current } from "./events.js";
import { shownText } from "./form-fields.js";
import { createFormPanel } from "./form-panel.js";
import { announce, attempt, notify, showProblem } from "./notices.js";
import { createPopupPanel } from "./popup-panel.js";
import { checkFeature, pageOf } from "./popup-check.js";
import { partsOf } from "./shape-parts.js";
import { cancelSketch, partsSoFar, sketch } from "./sketch.js";
import { t } from "./texts.js";

/// What was entered in a form when its map went away, until that map is shown again.
const draftKey = "portolan-draft";

/// How long an answer may take before it is said that it is waited for, in milliseconds.
const noteDelay = 400;

/// Returns { identify, present, startForm, editWith, undo, closeForm, hasChanges, keep(key), forget, leave(key),
/// recover(key), checkPopup }.
/// `slot` shows one panel at a time: { show(panel), clear(), padding() }.
export function createFeatures(view, place, slot) {
  let request = null;
  let popups = null;
  let panel = null;
  let draftOf = null;
  /// What the shape is for that is being drawn: { reshaped }, the feature that is given another shape, if it is not
  /// drawn for a form.
  let drawing = null;
  /// Counts what is asked for in the popups' place: only the last answer is shown, and none once they were closed.
  let turn = 0;
  /// How many edits of one's own are on their way.
  let actingCount = 0;
  /// How many answers that take the popups' place are on their way.
  let askedCount = 0;
  const popupPanel = createPopupPanel({
    close, page, edit, move: () => move(), remove, zoom: () => view.zoomToHighlight(),
    related: (name, index) => follow("map/related", { ...pageOf(popups.selection), name, index }),
    back: () => follow("map/related-back"),
    changed: (latest) => showEdited(latest, {
      movesFocus: popupPanel.element.contains(document.activeElement),
    }),
  });

  async function identify({ lng, lat }, isKeyboard) {
    if (panel && panel !== popupPanel) {
      view.showNote([lat, lng], t("form.finishFirst"));
      return;
    }
    request?.abort();
    request = new AbortController();
    const isLatest = nextTurn();
    const { x: width, y: height } = view.map.getSize();
    const longitude = lng - Math.round(lng / 360) * 360;
    const { signal } = request;
    await attempt(async () => {
      const found = await noted([lat, lng], () => ask("map/identify", {
        longitude, latitude: lat, scale: view.scale(), width, height,
      }, { signal }));
      if (!isLatest()) return;
      if (isNothing(found)) view.showNote([lat, lng], t("map.nothingHere"));
      showPopups(found, { movesFocus: isKeyboard });
    });
  }

  /// Says at a place that an answer takes its time, until it is there.
  async function noted(place, action) {
    let remove = () => {};
    const timer = setTimeout(() => { remove = view.showNote(place, t("common.loading")); }, noteDelay);
    try {
      return await action();
    } finally {
      clearTimeout(timer);
      remove();
    }
  }

  function nextTurn() {
    turn += 1;
    const own = turn;
    return () => own === turn;
  }

  /// Asks for what takes the popups' place; what is shown in the end is looked at.
  function ask(action, parameters, options) {
    askedCount += 1;
    const answer = post(action, parameters, options).finally(() => { askedCount -= 1; });
    answer.then(checkPopup, checkPopup);
    return answer;
  }

  function showPopups(latest, { movesFocus = false, isSame = false } = {}) {
    // An answer that comes late does not replace a form that is being edited.
    if (panel && panel !== popupPanel) return;
    if (isNothing(latest)) {
      announce(t("map.nothingHere"));
      return clear();
    }
    popups = latest;
    panel = popupPanel;
    popupPanel.update(latest, { isSame });
    slot.show(popupPanel.element);
    view.showHighlight(latest.selection?.geometry ?? null);
    if (isSame) return;
    view.revealHighlight(slot.padding());
    if (movesFocus) popupPanel.focus();
    checkPopup();
  }

  /// Shows the features after an edit of one; where others have found something else even by then, what is shown stays.
  function showEdited(latest, options) {
    if (latest.pages) showPopups(latest, options);
    else checkPopup();
  }

  /// Shows the features that an action answers with, in the place of those shown now.
  async function follow(action, parameters) {
    const question = popups?.question;
    const isLatest = nextTurn();
    await attempt(async () => {
      const latest = await ask(action, { ...parameters, question });
      if (isLatest()) showPopups(latest, { movesFocus: true });
    });
  }

  async function page(index) {
    const question = popups?.question;
    const isLatest = nextTurn();
    await attempt(async () => {
      const latest = await ask("map/popup", { index, question });
      if (isLatest()) showPopups(latest);
    });
  }

  /// Looks whether the feature whose popup is open is still what is shown, once features have been read again.
  async function checkPopup() {
    const [own, ownTurn] = [popups, turn];
    if (panel !== popupPanel || actingCount + askedCount > 0) return;
    await checkFeature(own, {
      // What a person turns to meanwhile must not be turned back.
      isShown: () => popups === own && ownTurn === turn && panel === popupPanel && actingCount === 0,
      isInUse: () => popupPanel.element.contains(document.activeElement),
      take: (latest) => showPopups(latest, { isSame: true }), mark: popupPanel.mark,
      show: (feature) => follow("map/feature-show", feature),
    });
  }

  /// Runs an edit, which the popup follows by itself.
  async function edited(action) {
    actingCount += 1;
    try {
      await attempt(action);
    } finally {
      actingCount -= 1;
      checkPopup();
    }
  }

  /// Reads the selected feature again, after an edit was undone.
  async function refreshPopup() {
    if (!popups?.selection || panel !== popupPanel) return;
    const isLatest = nextTurn();
    const { opening, selection, question } = popups;
    try {
      const latest = await ask("map/popup", { ...pageOf(selection), question })
        // Another page may have selected others meanwhile; that it is gone is final.
        .catch((problem) => problem.kind === "absence" ? Promise.reject(problem)
          : ask("map/feature-show", { layer: selection.layerId, objectID: selection.objectId, opening }));
      if (isLatest()) showPopups(latest);
    } catch (problem) {
      if (isLatest() && problem.kind === "absence") close();
    }
  }

  function clear() {
    const hadFocus = place.contains(document.activeElement);
    turn += 1;
    slot.clear();
    panel = null;
    popups = null;
    view.showHighlight(null);
    if (hadFocus) view.container.focus({ preventScroll: true });
  }

  /// Closes the popups; those that another page shows by now stay.
  function close() {
    const question = popups?.question;
    clear();
    return post("map/popup-close", { question }).catch(() => {});
  }

  /// `target` is { title, name, geometry, layer, objectID }: the title of the form and the name of its feature; without a
  /// name and an object id for a new feature.
  function startForm(form, target, notes = {}) {
    const { title, geometry } = target;
    request?.abort();
    let before = popups;
    /// What the form is for; once a new feature was stored, that one.
    let shown = target;
    /// Goes on with what was entered while the form was being stored, in another form for the feature as it is now.
    const goOn = () => attempt(async () => {
      const { layer, objectID } = shown;
      const latest = await post("map/form", {
        layer, objectID, opening: current("map")?.opening, question: before?.question,
      });
      if (panel === own && own.isStored()) own.resume(latest, shown.title);
      else await post("map/form-cancel", { form: latest.form });
    });
    const own = createFormPanel(form, { title, geometry, notes }, {
      preview: (shape) => view.showHighlight(shape),
      draw: (parts, heading, isBegun) => draw({ geometry, title: heading, parts, isBegun }),
      submitted: (answer, last) => {
        const name = shown.name ?? title;
        if (!own.hasMore()) return submitted(answer, last, name);
        tellStored(answer, last, name);
        before = answer.popups.pages ? answer.popups : null;
        popups = before;
        const latest = before?.selection?.title ?? name;
        shown = { ...shown, name: latest, title: t("form.editTitle", { title: latest }), objectID: answer.objectID };
        return goOn();
      },
      goOn,
      conflicted: (problem) => showProblem(problem, null, [{
        label: t("form.openAgain"),
        action: () => attempt(() => openAgain(shown, () => own.draft())),
      }]),
      cancelled: () => {
        panel = null;
        if (before) showPopups(before);
        else clear();
      },
    });
    panel = own;
    draftOf = () => ({ target: shown, draft: own.draft() });
    slot.show(own.element);
    own.focus();
  }

  /// Opens a form once more with what was entered, and says beside the fields what others have made of them meanwhile.
  /// `draft` gives what was entered, which may be more by the time that all of it has been sent.
  async function openAgain(target, draft) {
    const { layer, objectID } = target;
    const { template, parts } = draft();
    if (panel && panel !== popupPanel) await panel.abandon().catch(() => {});
    const opening = current("map")?.opening;
    const form = await post("map/form", {
      layer, opening, ...objectID === null ? {} : { objectID, question: popups?.question },
    });
    let latest = form;
    const take = async (name, parameters) => {
      latest = await post(`map/${name}`, { ...parameters, form: form.form });
    };
    if (template) await take("form-template", { name: template });
    if (parts) await take("form-draw", { parts });
    const notes = {};
    const sent = new Map();
    const unsent = () => draft().changes.find(({ name, text }) => sent.get(name) !== text);
    for (let change = unsent(); change; change = unsent()) {
      const { name, text, isCode, before } = change;
      sent.set(name, text);
      const field = form.fields.find((each) => each.name === name);
      if (!field?.editable) continue;
      if (before !== null && (field.text ?? "") !== before) {
        notes[name] = t("form.meanwhile", { value: shownText(field) || t("form.none") });
      }
      await take("form-set", { field: name, text, isCode });
    }
    const { changes } = draft();
    startForm({
      ...latest, templates: form.templates, chosenTemplate: template, original: form.fields,
      originalGeometry: form.geometry, entered: changes.map(({ name, text, isCode }) => [name, { text, isCode }]),
    }, target, notes);
  }

  /// Opens the form of a feature, { layer, objectID, name }, with what was entered for it elsewhere; `false` if a form that
  /// is open stays.
  async function editWith({ layer, objectID, name }, changes) {
    if (!await closeForm()) return false;
    await openAgain(
      { title: t("form.editTitle", { title: name }), name, geometry: geometryOf(layer), layer, objectID },
      () => ({ template: null, parts: null, changes }));
    return true;
  }

  /// Lets a person draw, `reshaped` being the feature that is given another shape.
  async function draw(options, reshaped = null) {
    const own = { reshaped };
    drawing = own;
    try {
      return await sketch(view, place, options);
    } finally {
      if (drawing === own) drawing = null;
    }
  }

  /// Opens the form again that was open when the map of that key went away, as when Portolan was ended or the page was
  /// loaded again, and goes on with what was being drawn.
  function recover(key) {
    const kept = JSON.parse(sessionStorage.getItem(draftKey) ?? "null");
    if (kept?.key !== key) return;
    sessionStorage.removeItem(draftKey);
    attempt(async () => {
      if (kept.reshaped) await reshapeAgain(kept.reshaped, kept.sketched);
      else await openAgain(kept.target, () => kept.draft);
      if (!kept.reshaped && kept.sketched) panel.draw(kept.sketched);
      notify(t(kept.reshaped ? "sketch.recovered" : "form.recovered"));
    });
  }

  /// Shows a feature again, and goes on with the shape that was being drawn for it.
  async function reshapeAgain({ layer, objectID, opening, seen }, parts) {
    const latest = await ask("map/feature-show", { layer, objectID, opening: current("map")?.opening });
    showPopups(latest);
    // Of a map that was opened anew nobody knows whether others have changed the feature meanwhile.
    move({ parts, seen: latest.opening === opening ? seen : latest.seen });
  }

  function tellStored({ popups: latest }, { purpose, layer }, name) {
    const text = purpose === "add" ? t("form.added", { layer })
      : t("form.saved", { title: popups?.selection?.title ?? name });
    notify(text, { actionLabel: t("common.undo"), action: () => undo(latest.edit) });
  }

  function submitted(answer, last, name) {
    const { popups: latest } = answer;
    panel = null;
    tellStored(answer, last, name);
    if (latest.pages) showPopups(latest, { movesFocus: true });
    else clear();
  }

  async function edit() {
    const { opening, question, selection: { layerId, objectId, title } } = popups;
    await attempt(async () => {
      const form = await post("map/form", { layer: layerId, objectID: objectId, opening, question });
      startForm(form, {
        title: t("form.editTitle", { title }), name: title, geometry: geometryOf(layerId), layer: layerId,
        objectID: objectId,
      });
    });
  }

  /// Gives the selected feature another shape; `begun` is what was drawn of it already, and what was seen of it then.
  async function move(begun = null) {
    const { opening, question, selection: { layerId, objectId, title, geometry: shape } } = popups;
    const seen = begun?.seen ?? popups.seen;
    const geometry = geometryOf(layerId) ?? kindOf(shape);
    const parts = await draw({
      geometry, title, parts: begun?.parts ?? partsOf(shape), isBegun: begun !== null,
    }, { layer: layerId, objectID: objectId, opening, seen });
    if (!parts) return;
    await edited(async () => {
      const moved = { layer: layerId, objectID: objectId, parts, opening, seen, question };
      const isLatest = nextTurn();
      const latest = await post("map/move", moved);
      notify(t(geometry === "point" ? "popup.moved" : "popup.reshaped", { title }), {
        actionLabel: t("common.undo"), action: () => undo(latest.edit),
      });
      if (isLatest() && panel === popupPanel) showEdited(latest);
    });
  }

  async function remove() {
    const { opening, seen, selection: { layerId, layer, objectId, title } } = popups;
    const isSure = await confirm({
      title: t("popup.deleteTitle"), body: t("popup.deleteText", { title, layer }),
      label: t("popup.delete"), kind: "danger",
    });
    if (!isSure) return;
    await edited(async () => {
      const { edit: number } = await post("map/remove", {
        layer: layerId, objectID: objectId, opening, seen,
      });
      await close();
      notify(t("popup.deleted", { title }), {
        actionLabel: t("common.undo"), action: () => undo(number),
      });
    });
  }

  /// Takes back an edit that was made here, else the last one.
  async function undo(edit) {
    await edited(async () => {
      const { undone } = await post("map/undo", { opening: current("map")?.opening, edit });
      notify(t("map.undone", { count: undone }));
      await refreshPopup();
    });
  }

  /// Closes an open form, after a question if it has changes; `false` if it stays open.
  function closeForm() {
    return panel && panel !== popupPanel ? panel.close() : Promise.resolve(true);
  }

  /// Whether a form has changes that were not stored, or something is being drawn.
  function hasChanges() {
    return Boolean((drawing && partsSoFar()) || (isFormOpen() && panel.isChanged()));
  }

  function isFormOpen() {
    return Boolean(panel && panel !== popupPanel);
  }

  /// Ends what is going on, since the map of that key is left. What is in a form was not left by a person, who would
  /// have been asked.
  function leave(key) {
    keep(key);
    cancelSketch();
    request?.abort();
    if (panel && panel !== popupPanel) panel.abandon().catch(() => {});
    clear();
  }

  /// Keeps what is in a form, and what is being drawn, for when the map of that key is shown again, as after the page was
  /// loaded again.
  function keep(key) {
    if (!key || !hasChanges()) return;
    const sketched = drawing ? partsSoFar() : null;
    if (drawing?.reshaped && sketched) keepDraft({ key, reshaped: drawing.reshaped, sketched });
    else if (isFormOpen()) keepDraft({ key, ...draftOf(), sketched });
  }

  /// Forgets what was kept, since the page is still there with its form.
  function forget() {
    sessionStorage.removeItem(draftKey);
  }

  /// Keeps what was entered; what has no room in the browser keeps the next map from nothing.
  function keepDraft(draft) {
    try {
      sessionStorage.setItem(draftKey, JSON.stringify(draft));
    } catch {
      sessionStorage.removeItem(draftKey);
    }
  }

  /// Shows the feature of a place that was searched for, else the place, unless something is being edited.
  function present(latest, { center }) {
    if (panel && panel !== popupPanel) return;
    turn += 1;
    if (!isNothing(latest)) {
      showPopups(latest);
      return;
    }
    clear();
    if (center) view.showHighlight({ type: "Point", coordinates: center });
  }

  return {
    identify, present, startForm, editWith, undo, closeForm, hasChanges, keep, forget, leave, recover, checkPopup,
  };
}

function isNothing({ selection, problems }) {
  return !selection && !problems?.length;
}

function geometryOf(layerId) {
  return current("map")?.editable.find(({ id }) => id === layerId)?.geometry ?? null;
}

/// The kind of shape of a layer that is not in the list of those that can be edited.
function kindOf({ type }) {
  if (type.endsWith("Polygon")) return "polygon";
  if (type.endsWith("LineString")) return "polyline";
  return type === "Point" ? "point" : "multipoint";
}
