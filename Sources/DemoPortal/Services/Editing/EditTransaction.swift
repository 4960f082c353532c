internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Carries out edits one by one, each checked as in every store, and notes what became of them.
struct EditTransaction: Sendable {
  /// The rules for identifying rows and for treating those that exist already.
  struct Rules: Sendable {
    /// Whether clients give rows their global ids and name rows by them.
    var usesGlobalIDs = false
    /// Whether an added row that is there already is changed instead, as when a replica uploads
    /// again what it does not know to have arrived.
    var replacesExisting = false
  }

  private(set) var rows: HostedRows
  let rules: Rules
  let user: String?
  let now: Date
  /// The files that were uploaded before, by their ids.
  let uploads: [String: Upload]

  init(
    _ rows: HostedRows, rules: Rules, user: String?, now: Date, uploads: [String: Upload] = [:]
  ) {
    self.rows = rows
    self.rules = rules
    self.user = user
    self.now = now
    self.uploads = uploads
  }

  /// Carries out the edits of a layer: rows first, then files.
  mutating func apply(_ edits: LayerEdits) throws(DemoFailure) -> LayerEditResults {
    guard let name = rows.tables.first(where: { $0.id == edits.layerID })?.schema.name else {
      throw .badRequest("There is no layer \(edits.layerID).")
    }
    var results = LayerEditResults(layerID: edits.layerID)
    for json in edits.adds { results.adds.append(add(json, to: name)) }
    for json in edits.updates { results.updates.append(update(json, in: name)) }
    for json in edits.deletes { results.deletes.append(delete(json, from: name)) }
    for file in edits.addedFiles { results.addedFiles.append(add(file, to: name)) }
    for file in edits.updatedFiles { results.updatedFiles.append(update(file, in: name)) }
    for id in edits.deletedFiles { results.deletedFiles.append(delete(fileID: id, in: name)) }
    return results
  }

  // MARK: Rows

  private mutating func add(_ json: JSONValue, to name: String) -> EditOutcome {
    attempt { transaction throws(EditFailure) in
      let keepsID = transaction.rules.usesGlobalIDs || transaction.rules.replacesExisting
      let (given, existing) = try transaction.reading(name) { table in
        let given = Self.globalID(of: json, table)
        return (given, keepsID ? given.flatMap(table.objectID(ofGlobalID:)) : nil)
      }
      if let existing {
        guard transaction.rules.replacesExisting else {
          throw EditFailure(description: "There is a feature with that global id already.")
        }
        return try transaction.change(existing, json, in: name)
      }
      let feature = try transaction.reading(name) { table throws(EditFailure) in
        NewFeature(
          attributes: Self.attributes(of: json, table),
          geometry: try Self.geometry(of: json, table))
      }
      return try transaction.run(.add(feature, table: name), givenID: keepsID ? given : nil)
    }
  }

  private mutating func update(_ json: JSONValue, in name: String) -> EditOutcome {
    var id: Int64?
    return attempt(on: &id) { transaction, id throws(EditFailure) in
      let meant = try transaction.objectID(of: json["attributes"] ?? json, in: name)
      id = meant
      return try transaction.change(meant, json, in: name)
    }
  }

  private mutating func change(
    _ id: Int64, _ json: JSONValue, in name: String
  ) throws(EditFailure) -> EditOutcome {
    let (values, shape) = try reading(name) { table throws(EditFailure) in
      (Self.attributes(of: json, table), try Self.geometry(of: json, table))
    }
    var geometry = GeometryChange.keep
    if let json = json["geometry"] {
      geometry = json.isNull ? .remove : .keep
      if let shape { geometry = .set(shape) }
    }
    return try run(
      .update(.objectID(id), table: name, attributes: values, geometry: geometry))
  }

  private mutating func delete(_ json: JSONValue, from name: String) -> EditOutcome {
    var id = json.integer
    return attempt(on: &id) { transaction, id throws(EditFailure) in
      if let text = json.string {
        id = try transaction.reading(name) { $0.objectID(ofGlobalID: text) } ?? Int64(text)
      }
      guard let id else { throw .noSuchRow }
      return try transaction.run(.delete(.objectID(id), table: name))
    }
  }

  // MARK: Files

  private mutating func add(_ file: LayerEdits.File, to name: String) -> EditOutcome {
    attempt { transaction throws(EditFailure) in
      let existing = try transaction.reading(name) { file.globalID.flatMap($0.file(ofGlobalID:)) }
      if let existing {
        guard transaction.rules.replacesExisting else {
          throw EditFailure(description: "There is an attachment with that global id already.")
        }
        return try transaction.run(
          .updateAttachment(existing.id, try transaction.contents(of: file), table: name),
          fileID: existing.globalID)
      }
      let parent = try transaction.reading(name) {
        file.parentGlobalID.flatMap($0.objectID(ofGlobalID:))
      }
      guard let parent else { throw .noSuchRow }
      return try transaction.run(
        .addAttachment(try transaction.contents(of: file), to: .objectID(parent), table: name),
        fileID: file.globalID)
    }
  }

  private mutating func update(_ file: LayerEdits.File, in name: String) -> EditOutcome {
    attempt { transaction throws(EditFailure) in
      let existing = try transaction.reading(name) { file.globalID.flatMap($0.file(ofGlobalID:)) }
      guard let existing else { throw .noSuchRow }
      return try transaction.run(
        .updateAttachment(existing.id, try transaction.contents(of: file), table: name),
        fileID: existing.globalID)
    }
  }

  private mutating func delete(fileID: String, in name: String) -> EditOutcome {
    attempt { transaction throws(EditFailure) in
      guard let existing = try transaction.reading(name, { $0.file(ofGlobalID: fileID) }) else {
        throw .noSuchRow
      }
      return try transaction.run(
        .deleteAttachment(existing.id, table: name), fileID: existing.globalID)
    }
  }

  private func contents(of file: LayerEdits.File) throws(EditFailure) -> NewAttachment {
    guard let data = file.data ?? file.uploadID.flatMap({ uploads[$0]?.data }) else {
      throw EditFailure(description: "The attachment has no data.")
    }
    return NewAttachment(
      name: file.name, contentType: file.contentType, data: data, globalID: file.globalID)
  }
}

extension EditTransaction {
  /// Carries out a single edit of the store.
  ///
  /// - Parameters:
  ///   - edit: What is done.
  ///   - givenID: The global id that a new row gets, if its client chose one.
  ///   - fileID: The global id of the file concerned, which the outcome names instead of the row.
  ///   - keywords: Words on a file.
  /// - Returns: What it was carried out on.
  /// - Throws: Why it was not.
  mutating func run(
    _ edit: FeatureEdit, givenID: String? = nil, fileID: String? = nil, keywords: String? = nil
  ) throws(EditFailure) -> EditOutcome {
    rows.givenIDs = givenID.map { [0: $0] } ?? [:]
    rows.keywords = keywords.map { [0: $0] } ?? [:]
    var editor = FeatureEditor(rows, user: user, now: now)
    // The rows must have no other reference while they change, or all of them would be copied.
    rows = rows.emptied
    defer { rows = editor.rows }
    do throws(FeatureEditError) {
      let result = try editor.apply([edit])[0]
      guard let id = result.attachmentID else {
        return EditOutcome(objectID: result.objectID, globalID: result.globalID)
      }
      let file = editor.rows.tables.lazy.flatMap(\.files).first { $0.id == id && fileID == nil }
      return EditOutcome(objectID: id, globalID: fileID ?? file?.globalID)
    } catch {
      throw EditFailure(error)
    }
  }

  private mutating func attempt(
    _ body: (inout EditTransaction) throws(EditFailure) -> EditOutcome
  ) -> EditOutcome {
    do { return try body(&self) } catch { return EditOutcome(failure: error) }
  }

  /// Makes an outcome that names the row which the client meant also where the edit fails.
  private mutating func attempt(
    on objectID: inout Int64?,
    _ body: (inout EditTransaction, inout Int64?) throws(EditFailure) -> EditOutcome
  ) -> EditOutcome {
    do { return try body(&self, &objectID) } catch {
      return EditOutcome(objectID: objectID, failure: error)
    }
  }

  /// Looks at a table.
  ///
  /// A second reference to a table during an edit would copy all of its rows.
  private func reading<Value>(
    _ name: String, _ body: (HostedTable) throws(EditFailure) -> Value
  ) throws(EditFailure) -> Value {
    guard let index = rows.tables.firstIndex(where: { $0.schema.name == name }) else {
      throw EditFailure(description: "There is no table \"\(name)\".")
    }
    return try body(rows.tables[index])
  }

  private func objectID(
    of attributes: JSONValue, in name: String
  ) throws(EditFailure) -> Int64 {
    let object = attributes.object
    return try reading(name) { table throws(EditFailure) in
      if rules.usesGlobalIDs || rules.replacesExisting {
        let id = table.schema.globalIDField.flatMap { object?.value(ignoringCase: $0)?.string }
        guard let id = id.flatMap(table.objectID(ofGlobalID:)) else { throw .noSuchRow }
        return id
      }
      guard let id = object?.value(ignoringCase: table.schema.objectIDField)?.integer else {
        throw EditFailure(code: 1018, description: "The object id is missing.")
      }
      return id
    }
  }
}

extension EditTransaction {
  private static func globalID(of json: JSONValue, _ table: HostedTable) -> String? {
    table.schema.globalIDField.flatMap {
      json["attributes"]?.object?.value(ignoringCase: $0)?.string
    }
  }

  /// The values that a client may set; what the service fills itself is passed over.
  private static func attributes(
    of json: JSONValue, _ table: HostedTable
  ) -> [String: AttributeValue] {
    let validator = FeatureValidator(table.schema)
    var values: [String: AttributeValue] = [:]
    for member in json["attributes"]?.object?.members ?? [] {
      guard let position = table.fields.position(of: member.name) else { continue }
      let field = table.fields.fields[position]
      guard validator.whyReadOnly(field) == nil else { continue }
      values[field.name] = HostedValue.value(member.value, as: field.type)
    }
    return values
  }

  private static func geometry(
    of json: JSONValue, _ table: HostedTable
  ) throws(EditFailure) -> Geometry? {
    guard let shape = json["geometry"], !shape.isNull, let target = table.schema.spatialReference
    else { return nil }
    do throws(GeometryError) {
      let geometry = try Geometry(
        esriJSON: shape, hasZ: table.schema.hasZ, hasM: table.schema.hasM)
      let source = SpatialReference(esriJSON: shape["spatialReference"]) ?? target
      return try Projection(from: source, to: target).project(geometry)
    } catch {
      throw EditFailure(description: error.localizedDescription)
    }
  }
}
