internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// The addresses through which a tester works the portal; they are exempt from faults.
struct ControlRoutes: Sendable {
  static let root = "demo"

  let state: DemoState

  func add(to router: inout Router) {
    let state = state
    router.add("/demo/faults", realm: nil) { request in
      switch request.method {
      case .post, .put: return .json(["id": .integer(Int64(await state.add(try .init(request))))])
      case .delete: return .json(["removed": .integer(Int64(await state.removeFaults()))])
      case .get, .head: return .json(["faults": .array(await state.faultDescriptions)])
      }
    }
    router.add("/demo/faults/{id}", realm: nil) { request in
      guard request.method == .delete, let id = Int(request.capture("id")) else {
        throw DemoFailure.badRequest("A fault is removed by DELETE and its number.")
      }
      return .json(["removed": .integer(Int64(await state.removeFaults(id)))])
    }
    router.add("/demo/network", realm: nil) { request in
      if let isOn = request.parameters.bool("on") { await state.setNetwork(isOn: isOn) }
      return .json(["on": .bool(await state.isNetworkOn)])
    }
    router.add("/demo/expire-tokens", realm: nil) { _ in
      await state.expireTokens()
      return .json(["success": true])
    }
  }
}

extension DemoState {
  /// The faults in force, as the control endpoint lists them.
  var faultDescriptions: [JSONValue] {
    faults.entries.map { entry in
      [
        "id": .integer(Int64(entry.id)), "kind": .string(entry.fault.kind.name),
        "path": .string(entry.fault.path), "skip": .integer(Int64(entry.fault.skip)),
        "count": entry.fault.count.map { .integer(Int64($0)) } ?? .null,
        "hits": .integer(Int64(entry.hits)), "isSpent": .bool(entry.isSpent),
      ]
    }
  }
}
