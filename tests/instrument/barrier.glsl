//! early_return finds=barrier-not-reached by=(40,_0,_0)_of_workgroup_(0,_0,_0)
shared uint sum[64];
void main()
{
   sum[lid] = 0;
#if FAULTY
   if (lid >= 40)
      return;
   sum[lid] = in_data[gid];
#else
   if (lid < 40)
      sum[lid] = in_data[gid];
#endif
   barrier(); // HERE
   out_data[gid] = sum[39 - min(lid, 39)];
}
//! half_of_a_workgroup finds=barrier-not-reached by=(32,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[64];
void main()
{
   word[lid] = in_data[gid];
#if FAULTY
   if (lid < 32)
      barrier(); // HERE
#else
   barrier();
#endif
   out_data[gid] = word[lid];
}
//! each_branch_its_own finds=barrier-not-reached,barrier-not-reached by=(1,_0,_0)_of_workgroup_(0,_0,_0);(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[64];
void main()
{
   word[lid] = in_data[gid];
#if FAULTY
   if ((lid & 1) == 0)
      barrier(); // HERE
   else
      barrier(); // HERE 2
#else
   barrier();
#endif
   out_data[gid] = word[lid];
}
//! different_rounds finds=barrier-not-reached by=(0,_0,_0)_of_workgroup_(0,_0,_0) local=32
shared uint word[32];
void main()
{
   uint sum = 0;
   word[lid] = in_data[gid];
#if FAULTY
   for (uint i = 0; i < lid + 1; i++) {
#else
   for (uint i = 0; i < 32; i++) {
#endif
      barrier(); // HERE
      sum += i;
   }
   out_data[gid] = sum + word[lid];
}
//! data_decides finds=barrier-not-reached by=(10,_0,_0)_of_workgroup_(1,_0,_0) groups=2
shared uint word[64];
void main()
{
   word[lid] = 0;
#if FAULTY
   if (in_data[gid] != 74)
      barrier(); // HERE
#else
   barrier();
#endif
   out_data[gid] = word[lid];
}
//! in_a_function finds=barrier-not-reached by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[64];
void sync_all()
{
   barrier(); // HERE
}
void main()
{
   word[lid] = in_data[gid];
#if FAULTY
   if (lid != 0)
#endif
      sync_all();
   out_data[gid] = word[lid];
}
//! uniform_is_fine finds=barrier-not-reached by=(63,_0,_0)_of_workgroup_(1,_0,_0) groups=3
shared uint word[64];
void main()
{
   word[lid] = in_data[gid];
   if (gl_WorkGroupID.x == 1) {
#if FAULTY
      if (lid < 63)
#endif
         barrier(); // HERE
   }
   out_data[gid] = word[lid];
}
//! break_before_a_barrier finds=barrier-not-reached by=(0,_0,_0)_of_workgroup_(0,_0,_0)
shared uint word[64];
void main()
{
   uint sum = 0;
   word[lid] = lid;
   barrier();
   for (uint i = 0; i < 4; i++) {
#if FAULTY
      if (lid == 0 && i == 2)
         break;
#endif
      barrier(); // HERE
      sum += word[(lid + i) & 63];
   }
   out_data[gid] = sum;
}
//! switch_with_barriers finds=barrier-not-reached,barrier-not-reached by=of_workgroup_(0,_0,_0);of_workgroup_(0,_0,_0)
shared uint word[64];
void main()
{
   word[lid] = lid;
#if FAULTY
   switch (in_data[gid] & 1) {
   case 0: barrier(); break; // HERE
   default: barrier(); break; // HERE 2
   }
#else
   barrier();
#endif
   out_data[gid] = word[63 - lid];
}
//! bounds_check_returns finds=barrier-not-reached by=(36,_0,_0)_of_workgroup_(1,_0,_0) groups=2
shared uint word[64];
void main()
{
#if FAULTY
   if (gid >= 100)
      return;
   word[lid] = in_data[gid];
#else
   word[lid] = gid < 100 ? in_data[gid] : 0;
#endif
   barrier(); // HERE
   out_data[gid] = word[lid];
}
//! part_of_a_subgroup finds=barrier-not-reached by=(5,_0,_0)_of_workgroup_(0,_0,_0) groups=2 ext=GL_KHR_shader_subgroup_basic
shared uint word[64];
void main()
{
   word[lid] = in_data[gid];
#if FAULTY
   if (gl_SubgroupInvocationID < 5 || gl_WorkGroupID.x == 1)
      subgroupBarrier(); // HERE
#else
   subgroupBarrier();
#endif
   out_data[gid] = word[lid];
}
//! subgroups_of_a_half_full_workgroup finds=barrier-not-reached by=(34,_0,_0)_of_workgroup_(0,_0,_0) local=40 ext=GL_KHR_shader_subgroup_basic
void main()
{
   uint sum = 0;
   for (uint i = 0; i < 3; i++) {
#if FAULTY
      if (lid == 34 && i == in_data[1])
         break;
#endif
      sum += in_data[lid + i];
      subgroupBarrier(); // HERE
   }
   out_data[lid] = sum;
}
//! swap_with_one_that_is_not_there finds=barrier-quad by=(7,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_KHR_shader_subgroup_quad,GL_KHR_shader_subgroup_arithmetic
void main()
{
   uint value = in_data[gid];
   if (lid < 40)
      value = subgroupAdd(value); /* among those that are there */
#if FAULTY
   if (lid != 5)
      value = subgroupQuadSwapVertical(value); // HERE
#else
   uint other = subgroupQuadSwapVertical(value);
   if (lid != 5)
      value = other;
#endif
   out_data[gid] = value;
}
//! first_of_a_quad finds=barrier-quad by=(5,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_KHR_shader_subgroup_quad
void main()
{
   uint value = in_data[gid];
#if FAULTY
   if (lid != 4)
#else
   if (lid != 5)
#endif
      value = subgroupQuadBroadcast(value, 0); // HERE
   out_data[gid] = value;
}
