internal import CCairo

extension PictureSurface {
  /// Puts what was drawn apart on what was below.
  func endGroup(opacity: Double, mode: BlendMode) {
    if mode != .normal, opacity < 1 {
      // Modes that remove what is below must be given less of the layer, not less of the mode.
      unsafe cairo_pop_group_to_source(context)
      unsafe cairo_push_group(context)
      unsafe cairo_paint_with_alpha(context, opacity)
      return endGroup(opacity: 1, mode: mode)
    }
    unsafe cairo_pop_group_to_source(context)
    unsafe cairo_set_operator(context, mode.cairoOperator)
    unsafe cairo_paint_with_alpha(context, opacity)
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_OVER)
  }
}

extension BlendMode {
  fileprivate var cairoOperator: cairo_operator_t {
    switch self {
    case .multiply: CAIRO_OPERATOR_MULTIPLY
    case .screen: CAIRO_OPERATOR_SCREEN
    case .overlay: CAIRO_OPERATOR_OVERLAY
    case .darken: CAIRO_OPERATOR_DARKEN
    case .lighten: CAIRO_OPERATOR_LIGHTEN
    case .difference: CAIRO_OPERATOR_DIFFERENCE
    case .exclusion: CAIRO_OPERATOR_EXCLUSION
    case .hue: CAIRO_OPERATOR_HSL_HUE
    case .saturation: CAIRO_OPERATOR_HSL_SATURATION
    case .color: CAIRO_OPERATOR_HSL_COLOR
    case .luminosity: CAIRO_OPERATOR_HSL_LUMINOSITY
    case .plus, .lighter: CAIRO_OPERATOR_ADD
    case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
    case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
    case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
    case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
    case .xor: CAIRO_OPERATOR_XOR
    case .sourceIn: CAIRO_OPERATOR_IN
    case .sourceOut: CAIRO_OPERATOR_OUT
    case .sourceAtop: CAIRO_OPERATOR_ATOP
    case .destinationOver: CAIRO_OPERATOR_DEST_OVER
    case .destinationIn: CAIRO_OPERATOR_DEST_IN
    case .destinationOut: CAIRO_OPERATOR_DEST_OUT
    case .destinationAtop: CAIRO_OPERATOR_DEST_ATOP
    // Worked out pixel by pixel before.
    case .normal, .average, .invert, .minus, .reflect, .vividLight: CAIRO_OPERATOR_OVER
    }
  }
}
