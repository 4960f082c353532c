internal import Foundation
internal import PortolanJSON
internal import PortolanTransport
internal import PortolanXML

/// Answers with items and with what they hold.
struct ItemPresenter: Sendable {
  let state: DemoState

  /// The item as JSON, with its size.
  func json(_ item: DemoItem, _ request: DemoRequest) async throws -> JSONValue {
    let base = request.base.absoluteString
    if case .file(let file) = item.content { _ = try await state.files.url(of: file, at: base) }
    return item.json(at: base, size: await size(of: item))
  }

  /// Items for a list; a file is not made just to know its size.
  func list(_ items: [DemoItem], _ request: DemoRequest) async -> [JSONValue] {
    var list: [JSONValue] = []
    for item in items {
      list.append(item.json(at: request.base.absoluteString, size: await size(of: item)))
    }
    return list
  }

  private func size(of item: DemoItem) async -> Int {
    switch item.content {
    case .nothing: -1
    case .document(let text): text.utf8.count
    case .bytes(let data): data.count
    case .file(let file):
      await state.files.finishedURL(of: file).map { DemoResponse.Body.file($0).count } ?? -1
    }
  }

  /// The data of the item; files perhaps from another address, as ArcGIS Online sends them.
  func data(of item: DemoItem, _ request: DemoRequest) async throws -> DemoResponse {
    switch item.content {
    case .nothing:
      return DemoResponse(headers: ["Content-Type": "text/plain;charset=utf-8"])
    case .document(let text):
      let placed = DemoItem.placed(text, at: request.base.absoluteString)
      return .download(
        .bytes(Data(placed.utf8)), type: "text/plain;charset=utf-8", tag: Self.tag(item))
    case .bytes, .file:
      if let storage = await state.storage { return await redirect(item, to: storage) }
      return try await file(of: item, request)
    }
  }

  /// A file that a redirect has led to, asked for without a token.
  func stored(_ request: DemoRequest) async throws -> DemoResponse {
    guard let item = await state.item(request.capture("id")),
      request.parameters["signature"] == Self.signature(item)
    else { return DemoResponse.html("<h1>403</h1>", status: 403) }
    return try await file(of: item, request)
  }

  private func file(of item: DemoItem, _ request: DemoRequest) async throws -> DemoResponse {
    let body: DemoResponse.Body
    switch item.content {
    case .bytes(let data): body = .bytes(data)
    case .file(let file):
      body = .file(try await state.files.url(of: file, at: request.base.absoluteString))
    case .nothing, .document: throw DemoFailure.noItem
    }
    let name = item.name ?? item.id
    return .download(body, name: name, type: MediaType.of(name), tag: Self.tag(item))
  }

  private func redirect(_ item: DemoItem, to storage: URL) async -> DemoResponse {
    let name = (item.name ?? item.id).addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    let path = "/demo/storage/\(item.id)/\(name ?? item.id)?signature=\(Self.signature(item))"
    return .redirect(to: storage.absoluteString + path)
  }

  private static func tag(_ item: DemoItem) -> String {
    "\(item.id)-\(item.modified.epochMilliseconds)"
  }

  private static func signature(_ item: DemoItem) -> String {
    String(DemoIdentifiers(seed: 7).itemID(tag(item)).prefix(16))
  }

  func thumbnail(of item: DemoItem) throws -> DemoResponse {
    guard let thumbnail = item.thumbnail else {
      throw DemoFailure(
        code: 404, "Resource does not exist or is inaccessible.", messageCode: "CONT_0004")
    }
    return .download(.bytes(try thumbnail.draw()), type: "image/png", tag: Self.tag(item))
  }

  /// The item as the XML that desktop programs read.
  func information(of item: DemoItem, _ request: DemoRequest) throws -> DemoResponse {
    let base = request.base.absoluteString
    let texts: [(String, String?)] = [
      ("title", item.title), ("type", item.type),
      ("typekeywords", item.typeKeywords.joined(separator: ",")), ("snippet", item.snippet),
      ("description", item.description), ("tags", item.tags.joined(separator: ",")),
      ("name", item.name), ("accessinformation", item.accessInformation),
      ("licenseinfo", item.licenseInfo), ("url", item.url),
    ]
    let root = XMLElement(
      "ESRI_ItemInformation", attributes: ["Culture": "en-us"],
      children: texts.map { XMLElement($0, text: DemoItem.placed($1 ?? "", at: base)) })
    return .bytes(Data(root.serialized.utf8), type: "text/xml;charset=utf-8")
  }
}
