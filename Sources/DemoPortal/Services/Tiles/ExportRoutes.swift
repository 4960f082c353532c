internal import Foundation
internal import PortolanJSON

/// The addresses by which tiles are exported: jobs, their results, and where files are fetched.
///
/// Jobs are served at all three paths where clients look for them (Docs/DEMO-PORTAL.md).
struct ExportRoutes: Sendable {
  let exporter: any TileExporter
  let state: DemoState
  /// The path of the service, for example `/arcgis/rest/services/MaineBackdrop/MapServer`.
  let path: String
  /// The files that jobs have made.
  let outputs: ServiceOutputs

  private static let operations = ["exportTiles", "estimateExportTilesSize"]

  /// The path below which files are fetched.
  private var folder: String {
    "/arcgis/rest/directories/arcgisoutput/"
      + path.split(separator: "/").suffix(2).joined(separator: "_")
  }

  /// Adds the addresses.
  func add(to router: inout Router) {
    router.add(path + "/exportTiles") { try await export($0) }
    router.add(path + "/estimateExportTilesSize") { try await estimate($0) }
    for place in Self.operations.map({ "\(path)/\($0)/jobs/{job}" }) + ["\(path)/jobs/{job}"] {
      router.add(place) { try await status(try await job($0), $0) }
      router.add(place + "/cancel") { request in
        guard let job = await state.cancelJob(request.capture("job")) else { throw Self.noJob }
        return try await status(job, request)
      }
      router.add(place + "/results/{result}") { try await result($0) }
    }
    router.add(folder + "/{job}") { try await list($0) }
    router.add(folder + "/{job}/{file}") { try await file($0) }
  }

  // MARK: Submitting

  private func export(_ request: DemoRequest) async throws -> DemoResponse {
    let wanted = try wanted(request)
    if let refusal = exporter.refusal(wanted) {
      return await submitted(
        await state.submitJob("exportTiles", ending: .failed(refusal)))
    }
    let (name, data) = try exporter.package(wanted)
    let job = await state.submitJob("exportTiles", results: ["file": .string(name)])
    outputs.keep(
      ServiceFile(data: data, contentType: "application/octet-stream", tag: job.id),
      named: name, of: job.id)
    return await submitted(job)
  }

  private func estimate(_ request: DemoRequest) async throws -> DemoResponse {
    let wanted = try wanted(request)
    let (size, count) = try exporter.estimate(wanted)
    return await submitted(
      await state.submitJob(
        "estimateExportTilesSize",
        results: [
          "totalSize": .integer(Int64(size)), "totalTilesToExport": .integer(Int64(count)),
        ]))
  }

  private func wanted(_ request: DemoRequest) throws -> TileExportRequest {
    guard exporter.options.allowsExport else {
      throw DemoFailure(
        code: 400, "Unable to complete operation.",
        details: ["Exporting tiles is not allowed for this service."])
    }
    return try TileExportRequest(request.parameters, exporter.renderer)
  }

  private func submitted(_ job: DemoJob) async -> DemoResponse {
    .json(["jobId": .string(job.id), "jobStatus": "esriJobSubmitted"])
  }

  // MARK: Looking

  private static let noJob = DemoFailure(
    code: 400, "Unable to complete operation.", details: ["Job not found."])

  private func job(_ request: DemoRequest) async throws(DemoFailure) -> DemoJob {
    guard let job = await state.job(request.capture("job")) else { throw Self.noJob }
    return job
  }

  private func status(_ job: DemoJob, _ request: DemoRequest) async throws -> DemoResponse {
    if exporter.options.answersAsOnline, job.phase == .done, job.kind == "exportTiles" {
      return .json(online(job, request))
    }
    var members: JSONObject = ["jobId": .string(job.id)]
    var messages: [JSONValue] = []
    switch job.phase {
    case .submitted: members["jobStatus"] = "esriJobSubmitted"
    case .running:
      members["jobStatus"] = "esriJobExecuting"
      messages.append(Self.message("Informative", "Executing (\(job.kind))..."))
    case .cancelled: members["jobStatus"] = "esriJobCancelled"
    case .failed(let failure):
      members["jobStatus"] = "esriJobFailed"
      messages.append(Self.message("Error", failure.message))
    case .done:
      members["jobStatus"] = "esriJobSucceeded"
      members["results"] = ["out_service_url": ["paramUrl": "results/out_service_url"]]
      members["inputs"] = [:]
    }
    members["messages"] = .array(messages)
    return .json(.object(members))
  }

  /// A job that is done, as ArcGIS Online has it: the state under another name, and the files.
  private func online(_ job: DemoJob, _ request: DemoRequest) -> JSONValue {
    let files = outputs.names(of: job.id).map { name -> JSONValue in
      let disposition = "response-content-disposition=attachment;filename=\(name)"
      return .string(request.address("\(folder)/\(job.id)/\(name)?\(disposition)"))
    }
    return [
      "jobId": .string(job.id), "status": "esriJobSucceeded",
      "output": ["outputUrl": .array(files), "itemId": ""],
    ]
  }

  private static func message(_ kind: String, _ text: String) -> JSONValue {
    ["type": .string("esriJobMessageType\(kind)"), "description": .string(text)]
  }

  private func result(_ request: DemoRequest) async throws -> DemoResponse {
    let job = try await job(request)
    guard job.phase == .done, request.capture("result") == "out_service_url" else {
      throw DemoFailure.badRequest("The job has no such result.")
    }
    let isEstimate = job.kind == "estimateExportTilesSize"
    return .json([
      "paramName": "out_service_url", "dataType": "GPString",
      "value": isEstimate
        ? .object(job.results) : .string(request.address("\(folder)/\(job.id)")),
    ])
  }

  // MARK: Fetching

  private func list(_ request: DemoRequest) async throws -> DemoResponse {
    let job = request.capture("job")
    let names = outputs.names(of: job)
    guard !names.isEmpty else { throw DemoFailure.notFound(request.path) }
    return .json([
      "files": .array(
        names.map { name in
          ["name": .string(name), "url": .string(request.address("\(folder)/\(job)/\(name)"))]
        }), "folders": [],
    ])
  }

  private func file(_ request: DemoRequest) async throws -> DemoResponse {
    let name = request.capture("file")
    guard let file = outputs.file(named: name, of: request.capture("job")) else {
      throw DemoFailure.notFound(request.path)
    }
    return file.response(named: name)
  }
}
