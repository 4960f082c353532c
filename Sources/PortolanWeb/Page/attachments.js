// The attachments of a feature: pictures and documents are shown, all can be saved, replaced and
// removed, new ones added.

import { post, upload, uploadLimit } from "./api.js";
import { confirm, h, iconButton, newID } from "./dom.js";
import { bytes } from "./format.js";
import { icon } from "./icons.js";
import { announce, attempt, notify, showProblem } from "./notices.js";
import { showPictures } from "./picture-viewer.js";
import { t } from "./texts.js";

/// The section of a popup's selection; `onChange` receives the popups after an edit.
export function attachmentsSection(selection, onChange) {
  const { canEdit } = selection;
  const attachments = selection.attachments.map((attachment) => ({
    ...attachment, url: addressOf(attachment, selection),
  }));
  if (attachments.length === 0 && !canEdit) return null;
  const pictures = attachments.filter(isPicture);
  const files = attachments.filter((attachment) => !isPicture(attachment));
  const tools = (attachment) => (canEdit ? editTools(attachment, selection, onChange) : null);
  return h(
    "section", { class: "attachments" }, h("h3", { text: t("popup.attachments") }),
    attachments.length === 0 ? h("p", { class: "hint", text: t("popup.noAttachments") }) : null,
    pictures.length ? h("ul", { class: "picture-list" }, pictures.map((picture, index) => h(
      "li", {}, pictureButton(picture, () => showPictures(pictures.map(shown), index)),
      tools(picture)))) : null,
    files.length ? h("ul", { class: "file-list" }, files.map((file) => h(
      "li", {}, fileLink(file), h("span", { class: "hint", text: bytes(file.size) }), tools(file))))
      : null,
    canEdit ? h("div", { class: "actions" },
      filePicker({ label: t("popup.attach"), iconName: "paperclip" }, selection, onChange),
      filePicker({ label: t("popup.camera"), iconName: "camera", isCamera: true }, selection, onChange))
      : null);
}

function isPicture({ contentType }) {
  return /^image\/(png|jpe?g|gif|webp)$/i.test(contentType ?? "");
}

/// Whether the browser has a viewer for it; the server decides again by what it really is.
function isDocument({ name }) {
  return /\.(pdf|txt|csv|md|log|json|xml)$/i.test(name ?? "");
}

function shown({ url, name, size }) {
  return { url, name, size: bytes(size) };
}

function pictureButton({ url, name, size }, open) {
  const image = h("img", { src: url, alt: "", loading: "lazy" });
  image.addEventListener("error", () => image.replaceWith(icon("paperclip")));
  return h(
    "button", {
      type: "button", class: "picture", "aria-label": t("popup.open", { name }), onclick: open,
    }, image,
    h("span", { class: "hint", text: [name, bytes(size)].filter(Boolean).join(" · ") }));
}

/// A document opens in a tab of its own, any other file is saved.
function fileLink(attachment) {
  const { url, name } = attachment;
  const way = isDocument(attachment)
    ? { target: "_blank", rel: "noopener", "aria-label": t("popup.open", { name }) }
    : { download: name };
  return h("a", { href: url, ...way }, icon("paperclip"), h("span", { text: name }));
}

/// What can be done to an attachment: another file in its place, or none.
function editTools(attachment, selection, onChange) {
  const { id, name } = attachment;
  const input = h("input", { type: "file", hidden: true, tabindex: "-1" });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (file) await attach(file, { ...selection, attachment: id }, onChange);
  });
  return h("span", { class: "attachment-tools" }, input,
    iconButton(t("popup.replaceFile", { name }), "refresh", () => input.click()),
    iconButton(t("popup.removeFile", { name }), "trash",
      () => remove(attachment, selection, onChange)));
}

async function remove({ id, name }, { layerId, objectId, opening, question }, onChange) {
  const isSure = await confirm({
    title: t("popup.removeFileTitle", { name }), body: t("popup.removeFileText"),
    label: t("popup.delete"), kind: "danger",
  });
  if (!isSure) return;
  await attempt(async () => {
    const popups = await post("map/detach", {
      layer: layerId, objectID: objectId, attachment: id, opening, question,
    });
    notify(t("popup.fileRemoved", { name }));
    onChange(popups);
  });
}

/// Where the file of an attachment is, with the feature that it is of: each layer has numbers of its own.
function addressOf({ id }, { layerId, objectId }) {
  const feature = new URLSearchParams({ layer: layerId, objectID: objectId });
  return `/api/attachments/${encodeURIComponent(id)}?${feature}`;
}

/// A file input that looks like a button. Its label is its name for screen readers.
function filePicker({ label, iconName, isCamera = false }, selection, onChange) {
  const input = h("input", {
    type: "file", class: "visually-hidden", id: newID("file"), accept: isCamera ? "image/*" : null,
    capture: isCamera ? "environment" : null,
  });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (file) await attach(file, selection, onChange);
  });
  return h("span", { class: "file-picker" }, input,
    h("label", { for: input.id, class: "button" }, icon(iconName), h("span", { text: label })));
}

async function attach(file, { layerId, objectId, opening, question, attachment = null }, onChange) {
  if (file.size > uploadLimit) {
    showProblem({ kind: "failure", message: t("popup.tooLarge", {
      name: file.name, size: bytes(file.size), limit: bytes(uploadLimit),
    }) });
    return;
  }
  announce(t("common.loading"));
  await attempt(async () => {
    const popups = await upload({
      layer: layerId, objectID: objectId, file, attachment, opening, question,
    });
    notify(t(attachment === null ? "popup.attached" : "popup.fileReplaced", { name: file.name }));
    onChange(popups);
  });
}
