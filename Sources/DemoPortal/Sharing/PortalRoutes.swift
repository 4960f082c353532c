internal import Foundation
internal import PortolanJSON

/// The addresses at which the portal describes itself and its users.
struct PortalRoutes: Sendable {
  let state: DemoState

  /// Adds the routes under both of the roots that clients use.
  func add(to router: inout Router) {
    let state = state
    for root in SharingRoot.all {
      router.add(root, realm: nil) { _ in
        .json(["currentVersion": .string(DemoOrganization.version)])
      }
      router.add(root + "/info", realm: nil) { .json(Self.info($0)) }
      router.add(root + "/portals/self") { .json(await Self.portal($0, state)) }
      router.add(root + "/portals/{id}") { .json(await Self.portal($0, state)) }
      router.add(root + "/portals/self/servers/computePrivateServiceUrl") {
        .json(["privateServiceUrl": .text($0.parameters["serviceUrl"])])
      }
      router.add(root + "/community/self") { request in
        guard let name = request.viewer.username else { throw DemoFailure.tokenRequired }
        return .json(try await Self.user(name, request, state))
      }
      router.add(root + "/community/users/{name}") { request in
        .json(try await Self.user(request.capture("name"), request, state))
      }
    }
    addServers(to: &router)
  }

  /// Adds the info of the servers, which says who guards them; the one below `/secured` guards itself.
  private func addServers(to router: inout Router) {
    router.add("/arcgis/rest/info", realm: nil) { request in
      .json(Self.info(request).merging(["currentVersion": 11.3, "fullVersion": "11.3.0"]))
    }
    router.add("/secured/rest/info", realm: nil) { request in
      .json([
        "currentVersion": 11.3, "fullVersion": "11.3.0",
        "authInfo": [
          "isTokenBasedSecurity": true,
          "tokenServicesUrl": .string(request.address("/secured/tokens/generateToken")),
          "shortLivedTokenValidity": 60,
        ],
      ])
    }
  }

  private static func info(_ request: DemoRequest) -> JSONValue {
    [
      "owningSystemUrl": .string(request.base.absoluteString),
      "authInfo": [
        "tokenServicesUrl": .string(request.address("/sharing/rest/generateToken")),
        "isTokenBasedSecurity": true,
      ],
    ]
  }

  private static func portal(_ request: DemoRequest, _ state: DemoState) async -> JSONValue {
    guard let name = request.viewer.username, let user = await state.user(name) else {
      return DemoOrganization.portal(request, user: nil, seed: state.seed)
    }
    let groups = await state.groups(of: user.username)
    return DemoOrganization.portal(
      request, user: user.json(groups: groups, isSelf: true), seed: state.seed)
  }

  private static func user(
    _ name: String, _ request: DemoRequest, _ state: DemoState
  ) async throws(DemoFailure) -> JSONValue {
    guard request.viewer.isSignedIn, let user = await state.user(name) else {
      throw DemoFailure(
        code: 400, "User does not exist or is inaccessible.", messageCode: "COM_0018")
    }
    return user.json(
      groups: await state.groups(of: user.username),
      isSelf: request.viewer.username == user.username)
  }
}

/// The paths under which the sharing API answers: clients use it with `/rest` and without.
enum SharingRoot {
  static let all = ["/sharing/rest", "/sharing"]
}

extension JSONValue {
  /// The members of this object and those of another.
  func merging(_ others: JSONObject) -> JSONValue {
    .object(JSONObject((object?.members ?? []) + others.members))
  }
}
