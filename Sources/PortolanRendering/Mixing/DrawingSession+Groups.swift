internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanMap
internal import PortolanPackages

extension DrawingSession {
  /// Draws something apart and puts it on the picture as `mix` asks.
  ///
  /// - Throws: `RenderingError.outOfMemory`.
  func mixed(
    _ mix: LayerMix, layer: String?, _ draw: () async throws(RenderingError) -> Void
  ) async throws(RenderingError) {
    for problem in mix.problems { omissions.add(problem, layer: layer) }
    let isApart = try await stack.begin(mix)
    try await draw()
    guard isApart else {
      if !mix.isPlain { omissions.add("it is in too many groups to be mixed", layer: layer) }
      return
    }
    if let problem = try await stack.end(mix) { omissions.add(problem, layer: layer) }
  }

  /// Draws layers, lowest first; those that are in a group are drawn apart with the others of it.
  ///
  /// - Parameters:
  ///   - layers: The layers.
  ///   - depth: How many groups around them are open.
  /// - Throws: `RenderingError`.
  func draw(_ layers: ArraySlice<DrawnLayer>, depth: Int = 0) async throws(RenderingError) {
    var rest = layers
    while let first = rest.first {
      guard !Task.isCancelled else { throw .cancelled }
      guard let group = first.group(at: depth) else {
        try await draw(first)
        rest = rest.dropFirst()
        continue
      }
      let members = rest.prefix { $0.group(at: depth) == group }
      let mix = LayerMix(group, opacity: group.opacity, scale: frame.scale)
      try await mixed(mix, layer: group.title) { () async throws(RenderingError) in
        try await draw(members, depth: depth + 1)
      }
      rest = rest.dropFirst(members.count)
    }
  }
}

extension DrawnLayer {
  /// Whether the layer, or the group that holds it, takes away what is below.
  var clearsBelow: Bool {
    (groups.last ?? layer).blendMode.flatMap(BlendMode.init)?.clearsBelow ?? false
  }

  /// The group around the layer that so many others are around; `nil` if there are not so many.
  fileprivate func group(at depth: Int) -> Layer? {
    depth < groups.count ? groups[groups.count - 1 - depth] : nil
  }
}
