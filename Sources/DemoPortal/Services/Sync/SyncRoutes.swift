internal import Foundation
internal import PortolanJSON

/// The URLs by which replicas of a feature service are created and synchronized.
struct SyncRoutes: Sendable {
  let routes: FeatureServiceRoutes
  let state: DemoState

  private var service: HostedFeatureService { routes.service }

  /// Adds the addresses.
  func add(to router: inout Router) {
    add("/replicas", to: &router) { .json(await service.listReplicas()) }
    routes.route("/replicas/{replica}", in: &router) { request in
      .json(try await service.replica(request.capture("replica")).json)
    }
    routes.route("/createReplica", in: &router) { try await createReplica($0) }
    routes.route("/synchronizeReplica", in: &router) { try await synchronizeReplica($0) }
    routes.route("/extractChanges", in: &router) { try await extractChanges($0) }
    routes.route("/unRegisterReplica", in: &router) { request in
      .json(try await service.unregisterReplica(request.parameters["replicaID"]))
    }
    routes.route("/replicafilescache/{file}", in: &router) { request in
      let name = request.capture("file")
      guard let file = service.files.file(named: name, of: name) else {
        throw DemoFailure.notFound(request.path)
      }
      return file.response(named: name)
    }
    routes.route("/jobs/{job}", in: &router) { request in
      guard let job = await state.job(request.capture("job")) else {
        throw DemoFailure(code: 400, "Unable to complete operation.", details: ["Job not found."])
      }
      return .json(job.syncStatus(now: state.clock.now()))
    }
    routes.route("/jobs/{job}/cancel", in: &router) { request in
      guard let job = await state.cancelJob(request.capture("job")) else {
        throw DemoFailure(code: 400, "Unable to complete operation.", details: ["Job not found."])
      }
      return .json(job.syncStatus(now: state.clock.now()))
    }
  }

  private func add(
    _ pattern: String, to router: inout Router,
    _ answer: @escaping @Sendable () async throws -> DemoResponse
  ) {
    routes.route(pattern, in: &router) { _ in try await answer() }
  }

  private func createReplica(_ request: DemoRequest) async throws -> DemoResponse {
    try checkSync()
    let wanted = try ReplicaRequest(request.parameters, await service.content)
    try check(wanted.dataFormat)
    let answer = try await service.createReplica(
      wanted, user: request.viewer.username, serviceURL: request.address(routes.path),
      filesByURL: request.parameters.bool("returnAttachmentsDataByUrl") ?? true)
    return wanted.isAsynchronous
      ? await submit("createReplica", answer, request) : .json(.object(answer))
  }

  private func synchronizeReplica(_ request: DemoRequest) async throws -> DemoResponse {
    try checkSync()
    let wanted = try SyncRequest(request.parameters)
    try check(wanted.dataFormat)
    let answer = try await service.synchronize(
      wanted, user: request.viewer.username, serviceURL: request.address(routes.path))
    return wanted.isAsynchronous
      ? await submit("synchronizeReplica", answer, request) : .json(.object(answer))
  }

  /// Asynchronous on ArcGIS Online, whatever is requested.
  private func extractChanges(_ request: DemoRequest) async throws -> DemoResponse {
    let answer = try await service.extractChanges(
      request.parameters, serviceURL: request.address(routes.path))
    let isAsked = request.parameters.bool("async") ?? false
    guard isAsked || service.options.product.extractsByJob else { return .json(.object(answer)) }
    return await submit("extractChanges", answer, request)
  }

  private func submit(
    _ kind: String, _ answer: JSONObject, _ request: DemoRequest
  ) async -> DemoResponse {
    let job = await state.submitJob(kind, results: answer)
    return .json(["statusUrl": .string(request.address("\(routes.path)/jobs/\(job.id)"))])
  }

  private func check(_ format: ReplicaRequest.DataFormat) throws(DemoFailure) {
    guard format == .json || service.options.product.writesGeodatabases else {
      throw .badReplica("'dataFormat' is invalid: \(format.rawValue).")
    }
  }

  private func checkSync() throws(DemoFailure) {
    guard service.options.supportsSync else { throw .badReplica("Sync is not enabled.") }
  }
}

extension DemoJob {
  /// The status of the job, in the words of feature services.
  func syncStatus(now: Date) -> JSONValue {
    let times: JSONObject = [
      "submissionTime": .integer(submitted.epochMilliseconds),
      "lastUpdatedTime": .integer(now.epochMilliseconds),
    ]
    var members: JSONObject = [:]
    switch phase {
    case .submitted: members["status"] = "Pending"
    case .running: members["status"] = "InProgress"
    case .cancelled: members["status"] = "Failed"
    case .failed(let failure):
      members["status"] = "Failed"
      members["error"] = failure.envelope["error"]
    case .done:
      members = results
      members["status"] = "Completed"
    }
    for member in times.members { members[member.name] = member.value }
    return .object(members)
  }
}
