internal import Foundation
internal import PortolanJSON

/// Adding items, changing them and taking them away.
struct ItemEditingRoutes: Sendable {
  let state: DemoState

  func add(to router: inout Router) {
    let editor = ItemEditor(state: state)
    for root in SharingRoot.all {
      for folder in ["", "/{folder}"] {
        let user = root + "/content/users/{user}" + folder
        router.add(user + "/addItem") { .json(try await editor.add($0)) }
        router.add(user + "/addRelationship") { .json(try await editor.relate($0)) }
        let item = user + "/items/{id}"
        router.add(item + "/addPart") { .json(try await editor.addPart($0)) }
        router.add(item + "/commit") { .json(try await editor.commit($0)) }
        router.add(item + "/status") { .json(try await editor.status($0)) }
        router.add(item + "/update") { .json(try await editor.update($0)) }
        router.add(item + "/delete") { .json(try await editor.delete($0)) }
        router.add(item + "/share") { .json(try await editor.share($0)) }
        router.add(item + "/addResources") { .json(try await editor.addResource($0)) }
        router.add(item + "/updateResources") { .json(try await editor.addResource($0)) }
        router.add(item + "/removeResources") { .json(try await editor.removeResources($0)) }
      }
      let user = root + "/content/users/{user}"
      router.add(user + "/shareItems") { .json(try await editor.shareItems($0, adding: true)) }
      router.add(user + "/unshareItems") { .json(try await editor.shareItems($0, adding: false)) }
      router.add(root + "/content/items/{id}/share") { .json(try await editor.share($0)) }
    }
  }
}
