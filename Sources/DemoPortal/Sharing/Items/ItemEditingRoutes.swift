internal import Foundation
internal import PortolanJSON

/// Adding items, changing and moving them, and taking them away.
struct ItemEditingRoutes: Sendable {
  let state: DemoState

  func add(to router: inout Router) {
    let editor = ItemEditor(state: state)
    let posted: @Sendable (DemoRequest) throws -> DemoRequest = { request in
      try request.requirePost()
      return request
    }
    for root in SharingRoot.all {
      for folder in ["", "/{folder}"] {
        let user = root + "/content/users/{user}" + folder
        router.add(user + "/addItem") { .json(try await editor.add(posted($0))) }
        router.add(user + "/addRelationship") { .json(try await editor.relate(posted($0))) }
        let item = user + "/items/{id}"
        router.add(item + "/addPart") { .json(try await editor.addPart(posted($0))) }
        router.add(item + "/commit") { .json(try await editor.commit(posted($0))) }
        router.add(item + "/status") { .json(try await editor.status($0)) }
        router.add(item + "/update") { .json(try await editor.update(posted($0))) }
        router.add(item + "/delete") { .json(try await editor.delete(posted($0))) }
        router.add(item + "/share") { .json(try await editor.share(posted($0))) }
        router.add(item + "/move") { .json(try await editor.move(posted($0))) }
        router.add(item + "/protect") { .json(try await editor.protect(posted($0), true)) }
        router.add(item + "/unprotect") { .json(try await editor.protect(posted($0), false)) }
        router.add(item + "/reassign") { .json(try await editor.reassign(posted($0))) }
        router.add(item + "/copy") { .json(try await editor.copy(posted($0))) }
        router.add(item + "/addResources") { .json(try await editor.addResource(posted($0))) }
        router.add(item + "/updateResources") { .json(try await editor.addResource(posted($0))) }
        router.add(item + "/removeResources") {
          .json(try await editor.removeResources(posted($0)))
        }
      }
      let user = root + "/content/users/{user}"
      router.add(user + "/shareItems") {
        .json(try await editor.shareItems(posted($0), adding: true))
      }
      router.add(user + "/moveItems") { .json(try await editor.moveItems(posted($0))) }
      router.add(user + "/unshareItems") {
        .json(try await editor.shareItems(posted($0), adding: false))
      }
      router.add(root + "/content/items/{id}/share") { .json(try await editor.share(posted($0))) }
    }
  }
}
