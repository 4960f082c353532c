public import Observation
public import PortolanFeatures
public import PortolanGeometry

/// A form for the values of one feature, new or there already.
///
/// It knows what each field takes: which values are allowed, for the subtype that is chosen, which
/// fields must be filled and which are not for people to change. What is typed is checked at once;
/// nothing is stored until `submit()`.
@MainActor
@Observable
public final class FeatureFormModel {
  /// The purpose of the form.
  public enum Purpose: Hashable, Sendable, Codable {
    /// A feature that is to be added.
    case add
    /// A feature that is there.
    case update(objectID: Int64)
  }

  /// The state of a form.
  public enum Phase: String, Hashable, Sendable, Codable {
    /// It is being filled in.
    case open
    /// The feature is being stored.
    case storing
    /// The feature was stored; another form is needed for more.
    case stored
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The purpose of the form.
    public var purpose: Purpose
    /// The title of the layer.
    public var layerTitle: String
    /// The lines, in the order of the table.
    public var fields: [FeatureFormField]
    /// The shape in the spatial reference of the layer; `nil` for none.
    public var geometry: Geometry?
    /// The kind of shape that features of the layer have; `nil` for a table without.
    public var geometryType: GeometryType?
    /// The templates that a new feature can start from.
    public var templates: [FeatureTemplate]
    /// Whether something differs from what is stored.
    public var isChanged: Bool
    /// The state of the form.
    public var phase = Phase.open

    /// Whether a new feature has yet to get its shape: without one it could not be found on the
    /// map.
    public var lacksShape: Bool { purpose == .add && geometryType != nil && geometry == nil }

    /// Whether all that was typed can be stored, and nothing is missing.
    public var canSubmit: Bool {
      phase == .open && isChanged && !lacksShape && fields.allSatisfy { $0.problem == nil }
    }

    /// The line of a field, by name or label without case.
    public func field(_ name: String) -> FeatureFormField? {
      fields.first { $0.name.lowercased() == name.lowercased() }
        ?? fields.first { $0.label.lowercased() == name.lowercased() }
    }
  }

  /// The current state; observe this.
  public private(set) var state: State

  @ObservationIgnored private var target: EditTarget
  @ObservationIgnored private let editing: EditingModel
  @ObservationIgnored private let stored: Feature?
  /// The values that the user has set, by the names of the fields.
  @ObservationIgnored private var changes: [String: AttributeValue]
  @ObservationIgnored private var problems: [String: Problem] = [:]
  @ObservationIgnored private var geometryChange = GeometryChange.keep

  /// Creates a form; a feature that is there already is `feature`.
  init(_ target: EditTarget, editing: EditingModel, feature: Feature?) {
    self.target = target
    self.editing = editing
    stored = feature
    changes = feature == nil ? target.validator.startingValues() : [:]
    state = State(
      purpose: feature.map { .update(objectID: $0.objectID) } ?? .add,
      layerTitle: target.layerTitle, fields: [], geometry: feature?.geometry,
      geometryType: target.schema.geometryType,
      templates: target.schema.templates + target.schema.types.flatMap(\.templates),
      isChanged: feature == nil)
    refresh()
  }

  /// The shape in degrees on WGS 84; `nil` if there is none, or none that can be projected.
  public var geometryOnWGS84: Geometry? {
    guard let shape = state.geometry, let own = target.schema.spatialReference else { return nil }
    // A shape that cannot be projected is not shown on the map; the form works without.
    return try? Projection(from: own, to: .wgs84).project(shape)
  }

  /// Starts a new feature from one of ``State/templates``, by its name without case.
  ///
  /// - Throws: A problem if there is no such template, or the feature is not new.
  public func useTemplate(named name: String) throws(Problem) {
    let template = state.templates.first { $0.name.lowercased() == name.lowercased() }
    guard state.purpose == .add, let template else {
      let names = state.templates.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw Problem(
        message: "There is no template \"\(name)\".",
        suggestion: names.isEmpty ? "The layer has no templates." : "It has: \(names).",
        kind: .absence)
    }
    changes = target.validator.startingValues(template)
    problems = [:]
    refresh()
  }

  /// Takes what a person typed for a field, named as in the table or for people.
  ///
  /// A text that cannot be stored, or may mean one of several values of a list, is kept as the
  /// problem of its line.
  ///
  /// - Parameters:
  ///   - text: The text; of a list of values a code, a name, or both as in `2 (Ash)`.
  ///   - name: The field.
  ///   - isCode: Whether the text is a code and no name, as where it was chosen from the list.
  /// - Throws: A problem if there is no such field, or it is not for people to change.
  public func setText(
    _ text: String, of name: String, isCode: Bool = false
  ) throws(Problem) {
    let field = try editableField(name)
    let input = FieldInput(field: field, domain: domain(of: field), isCode: isCode)
    if let ambiguity = input.ambiguity(of: text) {
      problems[field.name] = ambiguity
    } else {
      do { try set(input.value(of: text, at: place), of: field) } catch {
        problems[field.name] = Problem(error.naming(field.alias))
      }
    }
    refresh()
  }

  /// Sets the value of a field, named as in the table or for people.
  ///
  /// - Throws: A problem if there is no such field, or it is not for people to change.
  public func setValue(_ value: AttributeValue, of name: String) throws(Problem) {
    try set(value, of: editableField(name))
    refresh()
  }

  /// Sets the shape, in the spatial reference of the layer; `nil` removes it.
  public func setGeometry(_ geometry: Geometry?) {
    state.geometry = geometry
    geometryChange = geometry.map { .set($0) } ?? .remove
    refresh()
  }

  /// Sets the shape to what was drawn.
  ///
  /// - Throws: A problem if the sketch makes no shape of the layer's kind.
  public func draw(_ sketch: Sketch) throws(Problem) {
    setGeometry(try target.geometry(of: sketch, replacing: state.geometry))
  }

  /// Forgets what was typed.
  public func reset() {
    changes = stored == nil ? target.validator.startingValues() : [:]
    problems = [:]
    geometryChange = .keep
    state.geometry = stored?.geometry
    refresh()
  }

  /// Stores the feature, once.
  ///
  /// Changes of others in the meantime stay, as long as the same was not changed here too.
  ///
  /// - Parameter overwrites: Whether changes that others made to the same fields are overwritten.
  /// - Returns: What was stored.
  /// - Throws: A problem if the feature is being stored or was, a field has a problem, a new feature
  ///   lacks its shape, another user has changed what was changed here, or the store refuses the
  ///   feature; nothing is stored then.
  @discardableResult
  public func submit(
    overwriting overwrites: Bool = false
  ) async throws(Problem) -> EditingModel.StoredEdit {
    guard state.phase == .open else {
      throw Problem(
        .notPossible,
        message: state.phase == .storing ? "The form is being saved." : "The form was saved.",
        suggestion: "Open another one for more changes.")
    }
    if let problem = state.fields.lazy.compactMap(\.problem).first { throw problem }
    guard !state.lacksShape else {
      throw Problem(
        .incompleteGeometry,
        message: "Features of \"\(state.layerTitle)\" have a shape, this one none.",
        suggestion: "Draw it first.")
    }
    state.phase = .storing
    do throws(Problem) {
      let result = try await store(overwriting: overwrites)
      state.phase = .stored
      return result
    } catch {
      state.phase = .open
      throw error
    }
  }

  private func store(
    overwriting overwrites: Bool
  ) async throws(Problem) -> EditingModel.StoredEdit {
    // The data may have been closed since the form was opened, as where the map was synchronized.
    if editing.map != nil { target = try await editing.target(target.layerID) }
    if !overwrites { try await checkForConflicts() }
    let table = target.schema.name
    let edit: FeatureEdit =
      switch stored {
      case .some(let feature):
        .update(
          .objectID(feature.objectID), table: table, attributes: changes, geometry: geometryChange)
      case nil:
        .add(NewFeature(attributes: changes, geometry: state.geometry), table: table)
      }
    return try await editing.apply(edit, to: target)
  }

  /// Refuses changes of what was changed elsewhere since the form was opened.
  private func checkForConflicts() async throws(Problem) {
    guard let stored else { return }
    let present = try await editing.feature(stored.objectID, in: target)
    var conflicts = changes.keys.sorted().filter { name in
      let value = present.attributes[name]
      return value != stored.attributes[name] && value != changes[name]
    }.map { state.field($0)?.label ?? $0 }
    if geometryChange != .keep, SeenShape(present.geometry) != SeenShape(stored.geometry) {
      conflicts.append("shape")
    }
    guard !conflicts.isEmpty else { return }
    throw Problem(
      .changedMeanwhile,
      message: "The feature was changed meanwhile: \(conflicts.joined(separator: ", ")).",
      suggestion: "Open the form again, and repeat your changes where they are still needed.",
      actions: [.init(.openPopup)])
  }

  // MARK: - Fields

  private var place: EditPlace { target.place(of: stored?.objectID) }

  /// The values as they would be stored.
  private var attributes: Attributes {
    var attributes = stored?.attributes ?? Attributes(FieldList(target.schema.fields))
    for (name, value) in changes { attributes[name] = value }
    return attributes
  }

  private func editableField(_ name: String) throws(Problem) -> Field {
    let label = state.field(name)?.name
    guard let field = label.flatMap(target.schema.field(named:)) else {
      throw Problem(FeatureEditError.unknownField(name: name, place))
        .suggesting(name, among: state.fields.map(\.name))
    }
    if let reason = target.validator.whyReadOnly(field) {
      throw Problem(FeatureEditError.readOnlyField(name: field.name, reason, place))
    }
    return field
  }

  private func set(_ value: AttributeValue, of field: Field) {
    changes[field.name] = value
    problems[field.name] = nil
  }

  /// The subtypes for the field that holds their code, else the domain for the present subtype.
  private func domain(of field: Field) -> Domain? {
    target.schema.offeredDomain(of: field, in: attributes)
  }

  private func refresh() {
    let attributes = attributes
    state.fields = target.schema.fields.map { field in
      let value = attributes[field.name] ?? .null
      var line = FeatureFormField(
        field, value: value, domain: domain(of: field),
        isTimeZoneUnknown: target.schema.isTimeZoneUnknown(of: field.name),
        readOnlyReason: target.validator.whyReadOnly(field),
        problem: problems[field.name] ?? problem(with: field, in: attributes))
      if isLeftToDatabase(field) { line.isRequired = false }
      return line
    }
    state.isChanged = stored == nil || !changes.isEmpty || geometryChange != .keep
  }

  /// The fault that the store would find in a value; only of fields that the user set, or whose
  /// choices depend on the chosen subtype.
  private func problem(with field: Field, in row: Attributes) -> Problem? {
    guard target.validator.whyReadOnly(field) == nil else { return nil }
    if isLeftToDatabase(field), row[field.name]?.isNull ?? true { return nil }
    do throws(FeatureEditError) {
      if isSet(field) {
        try target.validator.checkValue(of: field, in: row, at: place)
      } else if isSubtypeSet, followsSubtype(field) {
        try target.validator.checkDomain(of: field.name, in: row, at: place)
      }
    } catch {
      return Problem(error.naming(field.alias))
    }
    return isTypeField(field) && isSet(field) ? problemOfSubtype(in: row) : nil
  }

  /// The fault in the subtype, if it does not suit a value that nobody can change.
  private func problemOfSubtype(in row: Attributes) -> Problem? {
    for field in target.schema.fields
    where followsSubtype(field) && target.validator.whyReadOnly(field) != nil {
      do { try target.validator.checkDomain(of: field.name, in: row, at: place) } catch {
        return Problem(error.naming(field.alias))
      }
    }
    return nil
  }

  /// Whether the database computes a value of the new feature that nobody gives.
  private func isLeftToDatabase(_ field: Field) -> Bool {
    stored == nil && !field.isNullable && field.hasComputedDefault
  }

  private func isSet(_ field: Field) -> Bool { stored == nil || changes[field.name] != nil }

  private var isSubtypeSet: Bool { target.schema.fields.contains { isTypeField($0) && isSet($0) } }

  private func isTypeField(_ field: Field) -> Bool {
    target.schema.typeIDField.flatMap(target.schema.field(named:))?.name == field.name
  }

  /// Whether the values that are allowed for a field depend on the subtype.
  private func followsSubtype(_ field: Field) -> Bool {
    target.schema.types.lazy.flatMap(\.domains.keys).contains {
      target.schema.field(named: $0)?.name == field.name
    }
  }
}
