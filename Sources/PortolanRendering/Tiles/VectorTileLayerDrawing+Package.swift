internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles
internal import PortolanVectorTiles

extension VectorTileLayerDrawing {
  /// The style of a package; `nil`, and told, if it cannot be read.
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

  /// The icons of a package; `nil` if it has none, or, and told, if they cannot be read.
  static func sprites(
    of package: VectorTilePackage, pixelRatio: Double, _ omit: (String) -> Void
  ) -> SpriteSheet? {
    do {
      let wanted: VectorTilePackage.SpriteScale = pixelRatio > 1 ? .double : .single
      guard let sprite = try package.sprite(scale: wanted) ?? package.sprite(scale: .single) else {
        return nil
      }
      return try SpriteSheet(index: sprite.index, image: sprite.image)
    } catch {
      omit("its icons cannot be read")
      return nil
    }
  }
}
