internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// The addresses of a feature service.
struct FeatureServiceRoutes: Sendable {
  let service: HostedFeatureService
  /// The path of the service, for example `/arcgis/rest/services/ExploreMaine/FeatureServer`.
  let path: String
  let realm: DemoRealm

  /// Adds the addresses.
  func add(to router: inout Router) {
    addReads(to: &router)
    addEdits(to: &router)
    addUploads(to: &router)
  }

  private func addReads(to router: inout Router) {
    route("", in: &router) { _ in .json(await resource().root) }
    route("/layers", in: &router) { _ in .json(await resource().layers) }
    route("/query", in: &router) { request in
      .json(
        try LayerDefinitionsQuery(request.parameters).answer(
          from: await service.content, service.options, now: service.clock.now()))
    }
    layerRoute("", in: &router) { _, table in .json(await resource().layer(table)) }
    layerRoute("/query", in: &router) { request, table in
      try FeatureQuery(request.parameters, of: table, in: service.options)
        .answer(from: table, service.options, now: service.clock.now())
    }
    layerRoute("/queryTopFeatures", in: &router) { request, table in
      let top = try TopFilter(request.parameters, of: table, in: service.options)
      return try FeatureQuery(request.parameters, of: table, in: service.options)
        .answer(from: table, service.options, now: service.clock.now(), top: top)
    }
    layerRoute("/queryRelatedRecords", in: &router) { request, table in
      try RelatedRecords(
        content: await service.content, options: service.options, now: service.clock.now()
      ).answer(request.parameters, to: table)
    }
    layerRoute("/queryAttachments", in: &router) { request, table in
      .json(
        try attachments(table).query(
          request.parameters, base: request.address("\(path)/\(table.id)")))
    }
    layerRoute("/{objectID}/attachments", in: &router) { request, table in
      .json(try attachments(table).list(of: request.capture("objectID")))
    }
    layerRoute("/{objectID}/attachments/{attachment}", in: &router) { request, table in
      try attachments(table).contents(
        request.capture("attachment"), of: request.capture("objectID"))
    }
    layerRoute("/{objectID}", in: &router) { request, table in
      .json(try Self.feature(request.capture("objectID"), in: table))
    }
  }

  private func addEdits(to router: inout Router) {
    let editor = FeatureServiceEditor(service: service)
    route("/applyEdits", in: &router) { try await editor.applyServiceEdits($0) }
    for operation in ["applyEdits", "addFeatures", "updateFeatures", "deleteFeatures"] {
      layerRoute("/\(operation)", in: &router) { request, table in
        try await editor.applyLayerEdits(request, to: table, as: operation)
      }
    }
    layerRoute("/{objectID}/addAttachment", in: &router) { request, table in
      try request.requirePost()
      try editor.checkEditable()
      return .json(try await attachmentEdits(request, table).add())
    }
    layerRoute("/{objectID}/updateAttachment", in: &router) { request, table in
      try request.requirePost()
      try editor.checkEditable()
      return .json(try await attachmentEdits(request, table).update())
    }
    layerRoute("/{objectID}/deleteAttachments", in: &router) { request, table in
      try request.requirePost()
      try editor.checkEditable()
      return .json(try await attachmentEdits(request, table).delete())
    }
  }

  private func addUploads(to router: inout Router) {
    route("/uploads/upload", in: &router) { .json(try await service.upload($0)) }
    route("/uploads/register", in: &router) { .json(try await service.registerUpload($0)) }
    route("/uploads/{upload}/uploadPart", in: &router) { .json(try await service.uploadPart($0)) }
    route("/uploads/{upload}/commit", in: &router) { .json(try await service.commitUpload($0)) }
    route("/uploads/{upload}/delete", in: &router) {
      .json(try await service.deleteUpload($0.capture("upload")))
    }
    route("/uploads/{upload}", in: &router) {
      .json(try await service.upload($0.capture("upload")).json)
    }
  }
}

extension FeatureServiceRoutes {
  /// Adds an address of the service, which only those may see who may see the service.
  func route(
    _ pattern: String, in router: inout Router,
    _ answer: @escaping @Sendable (DemoRequest) async throws -> DemoResponse
  ) {
    let needsToken = service.options.needsToken
    router.add(path + pattern, realm: realm) { request in
      guard !needsToken || request.viewer.isSignedIn else { throw DemoFailure.tokenRequired }
      return try await answer(request)
    }
  }

  /// Adds an address of every layer and table.
  private func layerRoute(
    _ pattern: String, in router: inout Router,
    _ answer: @escaping @Sendable (DemoRequest, HostedTable) async throws -> DemoResponse
  ) {
    route("/{layer}" + pattern, in: &router) { request in
      try await answer(
        request, try await service.content.table(named: request.capture("layer")))
    }
  }

  private func resource() async -> FeatureServiceResource {
    FeatureServiceResource(
      options: service.options, content: await service.content, itemID: service.itemID)
  }

  private func attachments(_ table: HostedTable) -> AttachmentResource {
    AttachmentResource(table: table, options: service.options, now: service.clock.now())
  }

  private func attachmentEdits(_ request: DemoRequest, _ table: HostedTable) -> AttachmentEdits {
    AttachmentEdits(service: service, table: table, request: request)
  }

  private static func feature(_ id: String, in table: HostedTable) throws(DemoFailure) -> JSONValue
  {
    guard let row = Int64(id).flatMap(table.row) else {
      throw DemoFailure(code: 404, "Unable to complete operation.", details: ["Feature not found."])
    }
    var members: JSONObject = ["attributes": HostedValue.json(row.feature.attributes)]
    members["geometry"] = row.feature.geometry?.esriJSON(
      spatialReference: table.schema.spatialReference)
    return ["feature": .object(members)]
  }
}
