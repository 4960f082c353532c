internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles
internal import PortolanVectorTiles

extension VectorTileLayerDrawing {
  /// Tells which sources layers are left out for; the layers of a package all draw its tiles.
  func reportMissingSources(_ style: VectorStyle) {
    guard let styled else { return }
    for name in style.missingSources.sorted() where styled.sources[name] == nil {
      omit(
        name.isEmpty
          ? "layers of its style that name no source are left out"
          : "layers of its style are left out, for it has no source \"\(name.prefix(60))\"")
    }
  }

  /// The style of a package; `nil`, and reported, if it cannot be read.
  static func style(
    of package: VectorTilePackage, _ omit: (String) -> Void
  ) -> VectorStyle? {
    do throws(TileError) {
      return VectorStyle(try package.style())
    } catch {
      omit(error.errorDescription ?? "its style cannot be read")
      return nil
    }
  }

  /// The icons of a package; `nil` if it has none, or if they cannot be read, which is reported.
  static func sprites(
    of package: VectorTilePackage, pixelRatio: Double, _ omit: (String) -> Void
  ) -> SpriteSheet? {
    do {
      // If only those for dense screens cannot be read, the plain ones are drawn.
      let sharp = pixelRatio > 1 ? try? sprites(of: package, scale: .double) : nil
      if let sharp, sharp.problems == [] { return sharp }
      let plain = try sprites(of: package, scale: .single) ?? sprites(of: package, scale: .double)
      let sheet = sharp?.problems == plain?.problems ? sharp ?? plain : plain
      for problem in sheet?.problems ?? [] { omit(problem) }
      return sheet
    } catch {
      omit("its icons cannot be read")
      return nil
    }
  }

  private static func sprites(
    of package: VectorTilePackage, scale: VectorTilePackage.SpriteScale
  ) throws(TileError) -> SpriteSheet? {
    let sprites = try package.sprites(scale: scale)
    return sprites.isEmpty ? nil : SpriteSheet(sprites)
  }
}
