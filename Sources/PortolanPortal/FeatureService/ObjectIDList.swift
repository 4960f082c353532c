internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// The object ids in the answer of a service; there may be millions.
struct ObjectIDList {
  let ids: [Int64]

  init(parsing response: HTTPResponse, from url: URL) throws(PortalError) {
    let listed: [Int64]?
    do {
      listed = try response.parsedJSON { (data) throws(JSONError) in
        Self.ids(try JSONTape(parsing: data))
      }
    } catch {
      throw PortalError(response, from: url.withoutSecrets, error)
    }
    guard let ids = listed else {
      throw .unexpected(url.withoutSecrets, reason: "there is no list of object ids")
    }
    self.ids = ids
  }

  private static func ids(_ tape: borrowing JSONTape) -> [Int64]? {
    guard let list = tape.member("objectIds", of: tape.root) else { return nil }
    return ids(tape, list)
  }

  /// `null` is how services write an empty list.
  private static func ids(_ tape: borrowing JSONTape, _ list: Int) -> [Int64] {
    guard tape.kind(at: list) == .array else { return [] }
    var ids: [Int64] = []
    ids.reserveCapacity(tape.elementCount(at: list))
    var place = tape.first(in: list)
    while !tape.isEnd(at: place) {
      if let id = tape.value(at: place).integer { ids.append(id) }
      place = tape.next(after: place)
    }
    return ids
  }
}
