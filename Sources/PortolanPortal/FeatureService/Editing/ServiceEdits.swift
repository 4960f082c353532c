internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTransport

/// A group of edits as a request, and what its service answers.
struct ServiceEdits {
  private let plan: [PlannedEdit]
  /// Whether features that are added have to be found again, to be undone for example.
  private let needsIDs: Bool

  init(_ plan: [PlannedEdit], needsIDs: Bool = true) {
    self.plan = plan
    self.needsIDs = needsIDs
  }

  /// The outcome of a group of edits.
  struct Outcome {
    /// The edits that were carried out, in the order of the group; also those of which there was
    /// nothing to send.
    var done: [AppliedEdit] = []
    /// The reason why the others were not, or are not known to be.
    var failure: FeatureEditError?
  }

  /// Sends the edits in one request, which is to be carried out as a whole; not every service does so.
  ///
  /// - Returns: The outcome.
  /// - Throws: `FeatureEditError` if nothing is known of any.
  func send() async throws(FeatureEditError) -> Outcome {
    let layers = layers
    var answers: [URL: JSONValue] = [:]
    if let layer = layers.first, layers.count == 1 {
      answers[layer.table.url] = try await sendAlone(layer)
    } else if let first = layers.first {
      answers = try await sendTogether(layers, to: first.table)
    }
    var places: [String: Int] = [:]
    var failures: [Failure] = []
    var outcome = Outcome()
    for edit in plan {
      var entry: JSONValue?
      if !edit.isEmpty {
        let key = "\(edit.table.table.url) \(edit.action.answerName)"
        let place = places[key, default: 0]
        places[key] = place + 1
        let list = answers[edit.table.table.url]?[edit.action.answerName]?.array ?? []
        if list.indices.contains(place) { entry = list[place] }
        if let failure = failure(of: edit, entry) {
          failures.append(failure)
          continue
        }
      }
      outcome.done.append(AppliedEdit(plan: edit, result: Self.result(of: edit, entry)))
    }
    // The others are only rolled back because of one that is refused.
    let first = failures.first { $0.kind == .refusal } ?? failures.first
    let isInPart =
      outcome.done.contains { !$0.plan.isEmpty } || failures.contains { $0.kind == .nameless }
    let mayBeInPart = isInPart || failures.contains { $0.kind == .doubt }
    outcome.failure = first.map {
      mayBeInPart ? Self.inPart($0.error, isCertain: isInPart) : $0.error
    }
    return outcome
  }

  // MARK: - Requests

  private struct Layer {
    let table: ServiceFeatureTable
    let edits: [PlannedEdit]
  }

  private var layers: [Layer] {
    var order: [URL] = []
    for edit in plan where !edit.isEmpty && !order.contains(edit.table.table.url) {
      order.append(edit.table.table.url)
    }
    return order.compactMap { url in
      let own = plan.filter { $0.table.table.url == url && !$0.isEmpty }
      return own.first.map { Layer(table: $0.table.table, edits: own) }
    }
  }

  private func sendAlone(_ layer: Layer) async throws(FeatureEditError) -> JSONValue {
    var form: RESTParameters = ["rollbackOnFailure": "true"]
    form = form.merging(layer.table.timeReference)
    for (name, list) in Self.lists(layer.edits) where !list.isEmpty {
      form.set(name, json: .array(list))
    }
    return try await answer(
      from: layer.table, at: layer.table.url.appending(path: "applyEdits"), form)
  }

  private func sendTogether(
    _ layers: [Layer], to first: ServiceFeatureTable
  ) async throws(FeatureEditError) -> [URL: JSONValue] {
    let service = first.url.deletingLastPathComponent()
    var form: RESTParameters = ["rollbackOnFailure": "true"]
    form.set(
      "edits",
      json: .array(
        layers.map { layer in
          var members: JSONObject = ["id": .integer(Int64(layer.table.info.id ?? 0))]
          for (name, list) in Self.lists(layer.edits) where !list.isEmpty {
            members[name] = .array(list)
          }
          return .object(members)
        }))
    for layer in layers { form = form.merging(layer.table.timeReference) }
    let answer = try await answer(from: first, at: service.appending(path: "applyEdits"), form)
    var answers: [URL: JSONValue] = [:]
    for entry in answer.array ?? [] {
      guard let layer = layers.first(where: { $0.table.info.id == entry["id"]?.int }) else {
        continue
      }
      answers[layer.table.url] = entry
    }
    return answers
  }

  private func answer(
    from table: ServiceFeatureTable, at url: URL, _ form: RESTParameters
  ) async throws(FeatureEditError) -> JSONValue {
    do throws(PortalError) {
      return try await table.client.json(url, form, method: .post)
    } catch {
      throw FeatureEditError(sending: table, error)
    }
  }

  private static func lists(_ edits: [PlannedEdit]) -> [(String, [JSONValue])] {
    var lists: [(String, [JSONValue])] = [("adds", []), ("updates", []), ("deletes", [])]
    for edit in edits {
      switch edit.action {
      case .add(let values, let shape):
        lists[0].1.append(json(values, shape.map { .set($0) } ?? .keep, edit))
      case .update(let id, var values, let geometry):
        values[edit.schema.objectIDField] = .integer(id)
        lists[1].1.append(json(values, geometry, edit))
      case .delete(let id): lists[2].1.append(.integer(id))
      }
    }
    return lists
  }

  private static func json(
    _ values: [String: AttributeValue], _ geometry: GeometryChange, _ edit: PlannedEdit
  ) -> JSONValue {
    let fields = edit.schema.fields.filter { values[$0.name] != nil }
    let attributes = Attributes(FieldList(fields), fields.map { values[$0.name] ?? .null })
    var members: JSONObject = ["attributes": attributes.esriJSON]
    switch geometry {
    case .keep: break
    case .remove: members["geometry"] = .null
    case .set(let shape):
      members["geometry"] = shape.esriJSON(spatialReference: edit.schema.spatialReference)
    }
    return .object(members)
  }

  // MARK: - Answers

  /// The error of a group of which an edit was refused and others were not, or may not have been: not every
  /// service takes those back.
  private static func inPart(_ failure: FeatureEditError, isCertain: Bool) -> FeatureEditError {
    guard case .refused(let file, let reason, _) = failure else { return failure }
    let verb = isCertain ? "has" : "may have"
    return .unanswered(
      file: file, reason: "it \(verb) carried out other edits, and refused this one: \(reason)")
  }

  /// The number by which services say that an edit was rolled back because of another.
  private static let rolledBack = 1003

  /// The reason why an edit was not carried out, or is not known to be.
  private struct Failure {
    enum Kind { case refusal, consequence, silence, doubt, nameless }

    let kind: Kind
    let error: FeatureEditError
  }

  private func failure(of edit: PlannedEdit, _ entry: JSONValue?) -> Failure? {
    let file = edit.table.table.url.withoutSecrets
    guard let entry else {
      // It is unknown which edits the service has carried out.
      return Failure(
        kind: .silence, error: .unanswered(file: file, reason: "its answer says nothing of it"))
    }
    let answer = EditAnswer(entry)
    switch answer.isDone {
    case true?:
      guard needsIDs, case .add = edit.action, entry["objectId"]?.integer == nil else { return nil }
      // Under a number of our own it could be neither found nor undone.
      return Failure(
        kind: .nameless,
        error: .unanswered(file: file, reason: "it does not say which feature it has added"))
    case nil:
      return Failure(kind: .doubt, error: .unanswered(file: file, reason: answer.doubt))
    case false?:
      return Failure(
        kind: answer.code == Self.rolledBack ? .consequence : .refusal,
        error: .refused(
          file: file, reason: answer.reason ?? "it does not say why", edit.place))
    }
  }

  private static func result(of edit: PlannedEdit, _ entry: JSONValue?) -> FeatureEditResult {
    let schema = edit.schema
    let given = entry?["globalId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    return FeatureEditResult(
      table: schema.name,
      objectID: edit.before?.objectID ?? entry?["objectId"]?.integer ?? 0,
      globalID: edit.before?.attributes.globalID(schema) ?? given)
  }
}

extension PlannedEdit.Action {
  /// The member of a response with the outcome of the edit.
  fileprivate var answerName: String {
    switch self {
    case .add: "addResults"
    case .update: "updateResults"
    case .delete: "deleteResults"
    }
  }
}

extension FeatureEditError {
  /// The error of an edit whose service did not carry it out, or was not heard.
  init(sending table: ServiceFeatureTable, _ error: PortalError) {
    let file = table.url.withoutSecrets
    let reason = (error.errorDescription ?? "\(error)").withoutFullStop
    switch error {
    case .cancelled, .transport(.cancelled): self = .cancelled
    case .transport(.interrupted), .transport(.timedOut), .transport(.malformed),
      .transport(.tooLarge), .notJSON, .unexpected:
      self = .unanswered(file: file, reason: reason)
    // A service that says when to try again has not begun.
    case .rateLimited: self = .refusedForNow(file: file, reason: reason)
    case .server(_, let envelope) where envelope.retryAfter != nil:
      self = .refusedForNow(file: file, reason: reason)
    // A gateway that has given up waiting knows nothing of what the server behind it does.
    case .server where error.isTransient: self = .unanswered(file: file, reason: reason)
    default: self = .notMade(UnansweredQuery(error))
    }
  }
}

extension String {
  /// A sentence as a part of another.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
