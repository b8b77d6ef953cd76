# what: Direct3D 11 by DXVK under wine: a device
# packages: wine wine64 dxvk
# seconds: 600
export WINEPREFIX=$OUT/prefix WINEDEBUG=-all DXVK_LOG_PATH=$OUT
wineboot -i >"$OUT/boot.log" 2>&1
dxvk-setup install >"$OUT/setup.log" 2>&1
WINEDLLOVERRIDES=d3d11,dxgi,d3d9=n timeout 120 wine dxdiag /whql:off /t "$OUT/dxdiag.txt" >"$OUT/dxdiag.log" 2>&1 || true
grep -hl 'DXVK' "$OUT"/*.log >/dev/null
log=$(ls "$OUT"/*_d3d11.log "$OUT"/*_d3d9.log "$OUT"/*_dxgi.log 2>/dev/null | head -n 1)
verdict "$(grep -ho 'Skipping\|Found device.*\|Required.*not supported.*' "$log" | head -n 1)"
! grep -q 'Skipping\|No adapters' "$log"
