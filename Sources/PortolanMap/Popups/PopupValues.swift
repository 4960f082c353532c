internal import Foundation
internal import PortolanFeatures

/// The values that the texts and lists of one popup refer to.
struct PopupValues {
  let feature: Feature
  let schema: FeatureTableSchema
  let definition: PopupDefinition
  var formatter: PopupValueFormatter
  let relatedValue: PopupFormatting.RelatedValue
  let arcade: ArcadeContext

  /// A text with the values in it, which are escaped unless the field holds HTML by declaration.
  func html(_ template: String) -> String {
    TextTemplate.fill(template) { name in
      guard isKnown(name) else { return nil }
      let value = value(named: name, field: definition.field(named: name))
      let text = value.failure == nil ? value.text : failureText(name)
      return definition.field(named: name)?.holdsHTML == true ? text : PlainText.escaped(text)
    }
  }

  /// A text with the values in it, without tags.
  func plain(_ template: String) -> String { PlainText.ofHTML(html(template)) }

  /// An address with the values in it: as it is where it begins the address, else
  /// percent-encoded.
  func address(_ template: String) -> String? {
    let template = template.trimmingBlanks()
    let first = template.hasPrefix("{") ? template.dropFirst().prefix { $0 != "}" } : ""
    let start = first.isEmpty ? nil : plainValue(named: String(first))
    let rest = start == nil ? template[...] : template.dropFirst(first.count + 2)
    let end = TextTemplate.fill(String(rest)) { name in
      plainValue(named: name)?.addingPercentEncoding(withAllowedCharacters: Self.allowed)
    }
    let address = ((start ?? "") + end).trimmingBlanks()
    return address.isEmpty ? nil : address
  }

  /// The value of a field, of an expression or of related records.
  func value(named name: String, field: PopupField?) -> Popup.FieldValue {
    let parts = name.split(separator: "/", maxSplits: 2).map(String.init)
    if parts.count == 2, parts[0].lowercased() == "expression" {
      guard let expression = definition.expression(named: parts[1]) else {
        return failed(name, field, "The popup has no expression \"\(parts[1])\".")
      }
      return value(of: expression, name: name, field: field)
    }
    if parts.count == 3, parts[0].lowercased() == "relationships", let id = Int(parts[1]) {
      guard let text = relatedValue(id, parts[2]) else {
        return failed(name, field, "The related records were not found.")
      }
      return Popup.FieldValue(
        name: name, label: label(field, or: parts[2]), text: text, value: .text(text))
    }
    return attribute(named: name, field: field)
  }

  /// The value of an expression.
  func value(
    of expression: PopupExpression, name: String, field: PopupField?
  ) -> Popup.FieldValue {
    let title = expression.title.isEmpty ? expression.name : expression.title
    switch expression.expression.evaluate(feature.attributes, in: arcade) {
    case .notEvaluated(let reason): return failed(name, field, reason, label: title)
    case .value(let value):
      let formatter = valueFormatter(isTimeZoneUnknown: schema.hasDatesInUnknownTimeZone)
      let text = formatter.text(
        of: value, type: nil, domain: nil, format: field?.format ?? PopupFieldFormat())
      return Popup.FieldValue(
        name: name, label: label(field, or: title), text: text, value: value,
        link: Self.link(text))
    }
  }

  private func attribute(named name: String, field entry: PopupField?) -> Popup.FieldValue {
    let field = schema.field(named: name)
    guard let value = feature.attributes[name] else {
      return failed(name, entry, "The layer has no field \"\(name)\".")
    }
    let text =
      typeName(of: value, field)
      ?? valueFormatter(isTimeZoneUnknown: schema.isTimeZoneUnknown(of: name)).text(
        of: value, type: field?.type, domain: schema.domain(of: name, in: feature.attributes),
        format: entry?.format ?? PopupFieldFormat())
    return Popup.FieldValue(
      name: field?.name ?? name, label: label(entry, or: field?.alias ?? name), text: text,
      value: value, link: Self.link(text))
  }

  /// The formatter of values; dates whose time zone is unknown show the stored value, not local
  /// time.
  private func valueFormatter(isTimeZoneUnknown: Bool) -> PopupValueFormatter {
    guard isTimeZoneUnknown else { return formatter }
    var formatter = self.formatter
    formatter.timeZone = .gmt
    return formatter
  }

  /// The code in the type field is read as the name of the type.
  private func typeName(of value: AttributeValue, _ field: Field?) -> String? {
    guard let field, field.name.lowercased() == schema.typeIDField?.lowercased() else { return nil }
    return schema.types.first { $0.id.isEqual(to: value) }?.name
  }

  /// The value without format: codes and plain digits, for addresses; `nil` for unknown names.
  private func plainValue(named name: String) -> String? {
    guard isKnown(name) else { return nil }
    return switch feature.attributes[name] {
    case .text(let text): text
    case .integer(let number): String(number)
    case .double(let number): DecimalText.shortest(number)
    default: withoutLocale.value(named: name, field: definition.field(named: name)).text
    }
  }

  /// The same values as documents write them, for addresses, which mean the same to everyone.
  private var withoutLocale: PopupValues {
    var values = self
    values.formatter.locale = nil
    return values
  }

  private func isKnown(_ name: String) -> Bool {
    if feature.attributes[name] != nil { return true }
    let kind = name.prefix { $0 != "/" }.lowercased()
    return name.contains("/") && ["expression", "relationships"].contains(kind)
  }

  private func failureText(_ name: String) -> String {
    name.lowercased().hasPrefix("expression") ? "" : PopupFormatting.notFound
  }

  private func failed(
    _ name: String, _ field: PopupField?, _ reason: String, label text: String? = nil
  ) -> Popup.FieldValue {
    Popup.FieldValue(
      name: name, label: label(field, or: text ?? name), text: "", value: .null, failure: reason)
  }

  private func label(_ field: PopupField?, or substitute: String) -> String {
    field.flatMap { $0.label.isEmpty ? nil : $0.label } ?? substitute
  }

  private static func link(_ text: String) -> String? {
    let start = text.prefix(8).lowercased()
    let isAddress = start.hasPrefix("http://") || start.hasPrefix("https://")
    return isAddress && !text.contains(where: \.isWhitespace) ? text : nil
  }

  private static let allowed = CharacterSet.urlPathAllowed.subtracting(
    CharacterSet(charactersIn: "&+=;"))
}
