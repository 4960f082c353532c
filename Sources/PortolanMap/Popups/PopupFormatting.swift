public import Foundation
public import PortolanFeatures

/// Puts the values of a feature into a popup.
///
/// The result depends on nothing but what is set here. Without a ``locale`` it is the same on every
/// device: English names of months, commas between thousands and a point before fractions.
public struct PopupFormatting: Sendable {
  /// Finds a value in the records related to the feature, as text; `nil` if it cannot say.
  ///
  /// The first argument is the id of the relationship, the second the name of the field.
  public typealias RelatedValue = @Sendable (Int, String) -> String?

  /// The text for a related value that was not found.
  public static let notFound = "(not found)"

  /// The time zone of dates.
  public var timeZone: TimeZone
  /// The locale of dates and numbers; `nil` for that of documents, which is the same on every
  /// device.
  public var locale: Locale?
  /// The present moment, for expressions that ask for it.
  public var now: @Sendable () -> Date = { Date() }
  /// Finds values in related records.
  public var relatedValue: RelatedValue

  /// Creates a formatting.
  public init(
    timeZone: TimeZone = .gmt, locale: Locale? = nil,
    relatedValue: @escaping RelatedValue = { _, _ in nil }
  ) {
    self.timeZone = timeZone
    self.locale = locale
    self.relatedValue = relatedValue
  }

  /// The popup of a feature.
  ///
  /// A title that comes out blank is replaced by the value of the display field, else by the name
  /// of the table and the object id. An expression that is not evaluated leaves its place in a text
  /// blank, and the popup says why.
  public func popup(
    of feature: Feature, in schema: FeatureTableSchema, as definition: PopupDefinition
  ) -> Popup {
    let values = values(of: feature, in: schema, as: definition)
    return Popup(
      title: Self.title(values), elements: definition.elements.map { Self.element($0, values) },
      notEvaluated: values.notEvaluated)
  }

  /// The title of the popup of a feature, and why expressions in it have no value, a sentence each.
  public func title(
    of feature: Feature, in schema: FeatureTableSchema, as definition: PopupDefinition
  ) -> (text: String, notEvaluated: [String]) {
    let values = values(of: feature, in: schema, as: definition)
    return (Self.title(values), values.notEvaluated(in: definition.title))
  }

  private func values(
    of feature: Feature, in schema: FeatureTableSchema, as definition: PopupDefinition
  ) -> PopupValues {
    PopupValues(
      feature: feature, schema: schema, definition: definition,
      formatter: formatter, relatedValue: relatedValue,
      arcade: ArcadeContext(timeZone: timeZone, schema: schema, now: now))
  }

  /// A value as popups write it: codes by their names, numbers and dates by the format.
  ///
  /// `field` and `domain` are those that the value belongs to, if there are any.
  public func text(
    of value: AttributeValue, field: Field?, domain: Domain?,
    format: PopupFieldFormat = PopupFieldFormat()
  ) -> String {
    formatter.text(of: value, type: field?.type, domain: domain, format: format)
  }

  private var formatter: PopupValueFormatter {
    PopupValueFormatter(timeZone: timeZone, locale: locale)
  }

  private static func title(_ values: PopupValues) -> String {
    let title = PlainText.ofHTML(values.html(values.definition.title)).trimmingBlanks()
    return title.isEmpty ? substituteTitle(values) : title
  }

  private static func substituteTitle(_ values: PopupValues) -> String {
    let display = values.schema.displayField.map { values.value(named: $0, field: nil).text } ?? ""
    return display.isEmpty ? "\(values.schema.alias) \(values.feature.objectID)" : display
  }

  private static func element(_ element: PopupElement, _ values: PopupValues) -> Popup.Element {
    switch element {
    case .text(let text): return .text(Popup.RichText(html: values.html(text)))
    case .fields(let list):
      let fields = list.fields.map { values.value(named: $0.name, field: $0) }
      return .fields(
        Popup.FieldGroup(
          title: values.plain(list.title), summary: values.plain(list.summary), values: fields))
    case .media(let list):
      return .media(
        Popup.MediaGroup(
          title: values.plain(list.title), summary: values.plain(list.summary),
          media: list.media.map(values.media)))
    case .attachments(let element): return .attachments(element)
    case .relationship(let element): return .relationship(element)
    case .expression(let expression):
      return .expression(values.value(of: expression, name: "expression", field: nil))
    case .other(let type, _): return .unsupported(type: type)
    }
  }
}
