internal import PortolanFeatures

extension PopupValues {
  /// A picture or a chart with its values.
  func media(_ media: PopupMedia) -> Popup.Media {
    let isImage = media.kind == .image
    return Popup.Media(
      kind: media.kind, title: plain(media.title), caption: plain(media.caption),
      alternativeText: plain(media.alternativeText),
      chartValues: isImage ? [] : chartValues(media),
      imageURL: isImage ? media.sourceURL.flatMap(address) : nil,
      linkURL: media.linkURL.flatMap(address))
  }

  private func chartValues(_ media: PopupMedia) -> [Popup.ChartValue] {
    let divisor = media.normalizeField.map { feature.attributes[$0]?.number ?? 0 }
    let said = media.tooltipField.map { value(named: $0, field: definition.field(named: $0)).text }
    return media.fieldNames.enumerated().map { index, name in
      let field = definition.field(named: name)
      let found = value(named: name, field: field)
      // A share of nothing is no number.
      let number = found.value.number.flatMap { divide($0, by: divisor) }
      let format = field?.format ?? PopupFieldFormat()
      let text = divisor == nil ? found.text : number.map(format.text) ?? ""
      return Popup.ChartValue(
        label: found.label, value: number, text: text,
        tooltip: [said, "\(found.label): \(text)"].compactMap(\.self).joined(separator: ", "),
        color: media.colors.indices.contains(index) ? media.colors[index] : nil)
    }
  }

  private func divide(_ number: Double, by divisor: Double?) -> Double? {
    guard let divisor else { return number }
    return divisor == 0 ? nil : number / divisor
  }
}
